// Highway compiles this file once for each instruction set.
#include "host/embedding.hpp"

#include <algorithm>

#include "host/rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/embedding.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/lanes-inl.h"
#include "host/philox-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

void embed_rows(const Embedding& e, std::size_t begin, std::size_t end) {
  const Dropout* const dropout = e.dropout ? &*e.dropout : nullptr;
  for (std::size_t row = begin; row < end; ++row) {
    const float* const position = e.positions + e.places[row] * e.columns;
    float* const y = e.y + row * e.columns;
    const auto index = static_cast<std::uint32_t>((e.first + row) * e.columns / 4);
    if (e.ids[row] == e.no_token) {
      for_factors(dropout, index, e.columns, [&](auto d, std::size_t i, auto factor) HWY_ATTR {
        hn::StoreU(hn::Mul(hn::LoadU(d, position + i), factor), d, y + i);
      });
      continue;
    }
    const float* const token = e.table + e.ids[row] * e.columns;
    for_factors(dropout, index, e.columns, [&](auto d, std::size_t i, auto factor) HWY_ATTR {
      const auto sum =
          hn::MulAdd(hn::LoadU(d, token + i), hn::Set(d, e.multiplier), hn::LoadU(d, position + i));
      hn::StoreU(hn::Mul(sum, factor), d, y + i);
    });
  }
}

// Sums of a part of the columns stay in the nearest cache.
constexpr std::size_t kColumns = 512;

void add_segment(const EmbeddingBackward& e, std::size_t segment, std::size_t column,
                 std::size_t columns) {
  const Dropout* const dropout = e.dropout ? &*e.dropout : nullptr;
  HWY_ALIGN float sum[kColumns];
  std::fill_n(sum, columns, 0.0F);
  for (std::size_t i = e.begins[segment]; i < e.begins[segment + 1]; ++i) {
    const std::size_t at = e.sorted_rows[i] * e.columns + column;
    const auto index = static_cast<std::uint32_t>((e.first * e.columns + at) / 4);
    const float* const dy = e.dy + at;
    for_factors(dropout, index, columns, [&](auto d, std::size_t j, auto factor) HWY_ATTR {
      hn::StoreU(hn::MulAdd(hn::LoadU(d, dy + j), factor, hn::LoadU(d, sum + j)), d, sum + j);
    });
  }
  float* const gradient = e.gradient + e.ids[segment] * e.columns + column;
  for_vectors(columns, [&](auto d, std::size_t j) HWY_ATTR {
    const auto old = hn::LoadU(d, gradient + j);
    hn::StoreU(hn::MulAdd(hn::LoadU(d, sum + j), hn::Set(d, e.multiplier), old), d, gradient + j);
  });
}

void add_segments(const EmbeddingBackward& e, std::size_t begin, std::size_t end) {
  for (std::size_t segment = begin; segment < end; ++segment) {
    for (std::size_t column = 0; column < e.columns; column += kColumns)
      add_segment(e, segment, column, std::min(kColumns, e.columns - column));
  }
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(embed_rows);
HWY_EXPORT(add_segments);

void embedding(ThreadPool& pool, const Embedding& embedding) {
  for_rows(pool, embedding.rows, 2 * embedding.columns, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(embed_rows)(embedding, begin, end);
  });
}

void embedding_backward(ThreadPool& pool, const EmbeddingBackward& backward) {
  if (backward.segments == 0) return;
  // Parts of about the same number of rows, because few ids occur in many rows.
  const std::size_t rows = backward.begins[backward.segments] - backward.begins[0];
  const auto segment_of = [&](std::size_t row) {
    const std::uint32_t* const end = backward.begins + backward.segments;
    return static_cast<std::size_t>(
        std::lower_bound(backward.begins, end, backward.begins[0] + row) - backward.begins);
  };
  for_rows(pool, rows, 2 * backward.columns, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(add_segments)(backward, segment_of(begin), segment_of(end));
  });
}

}  // namespace awend::host
#endif
