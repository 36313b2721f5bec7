// Weighted sums of embeddings on the CPU; the formulas are in shaders/op_embedding_bag.comp and
// shaders/op_embedding_bag_backward.comp.
// Test: tests/unit/host/operations_test.cpp, tests/kernels/embedding_bag_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include <algorithm>

#include "host/rows.hpp"
#include "shaders/op_embedding_bag.h"
#include "shaders/op_embedding_bag_backward.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/embedding_bag.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

/// The place of a row in its bag: position encoding is base + slope · column.
struct Place {
  float base, slope;
};

HWY_INLINE Place place_of(const std::uint32_t* range, std::size_t row, std::size_t columns) {
  const float words = static_cast<float>(range[1] - range[0]);
  const float share = static_cast<float>(row - range[0] + 1) / words;
  return {2 * (1 - share), -2 * (1 - 2 * share) / static_cast<float>(columns)};
}

/// sum += weight · x
HWY_INLINE void add_weighted(std::size_t weights, const Place& place, std::size_t columns,
                             const float* x, float* sum) {
  for_vectors(columns, [&](auto d, std::size_t i) HWY_ATTR {
    const auto old = hn::LoadU(d, sum + i);
    if (weights == BAG_ONE) {
      hn::StoreU(hn::Add(hn::LoadU(d, x + i), old), d, sum + i);
      return;
    }
    const auto column = hn::Iota(d, static_cast<float>(i + 1));
    const auto weight = hn::MulAdd(column, hn::Set(d, place.slope), hn::Set(d, place.base));
    hn::StoreU(hn::MulAdd(hn::LoadU(d, x + i), weight, old), d, sum + i);
  });
}

void sum_bags(const EmbeddingBag& e, std::size_t begin, std::size_t end) {
  for (std::size_t bag = begin; bag < end; ++bag) {
    const std::uint32_t* const range = e.rows_of_bag + 2 * bag;
    float* const y = e.y + bag * e.columns;
    std::fill_n(y, e.columns, 0.0F);
    for (std::size_t row = range[0]; row < range[1]; ++row) {
      add_weighted(e.weights, place_of(range, row, e.columns), e.columns,
                   e.table + e.ids[row] * e.columns, y);
    }
  }
}

void add_segments(const EmbeddingBagBackward& e, std::size_t begin, std::size_t end) {
  for (std::size_t segment = begin; segment < end; ++segment) {
    float* const gradient = e.gradient + e.segment_ids[segment] * e.columns;
    for (std::size_t i = e.segment_begins[segment]; i < e.segment_begins[segment + 1]; ++i) {
      const std::size_t row = e.sorted_rows[i];
      for (std::size_t bag = e.bags_of_row[2 * row]; bag < e.bags_of_row[2 * row + 1]; ++bag) {
        add_weighted(e.weights, place_of(e.rows_of_bag + 2 * bag, row, e.columns), e.columns,
                     e.dy + bag * e.columns, gradient);
      }
    }
  }
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(sum_bags);
HWY_EXPORT(add_segments);

namespace {

// A sentence has about this many words.
constexpr std::size_t kWords = 8;

}  // namespace

void embedding_bag(ThreadPool& pool, const EmbeddingBag& bag) {
  for_rows(pool, bag.bags_count.rows(), kWords * bag.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(sum_bags)(bag, begin, end);
           });
}

void embedding_bag_backward(ThreadPool& pool, const EmbeddingBagBackward& backward) {
  for_rows(pool, backward.segments_count.rows(), kWords * backward.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(add_segments)(backward, begin, end);
           });
}

}  // namespace awend::host
#endif
