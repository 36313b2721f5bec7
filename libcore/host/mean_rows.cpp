// Means and sums of the rows of sentences on the CPU; the formulas are in
// shaders/op_mean_rows.comp. Test: tests/unit/host/operations_test.cpp,
// tests/kernels/mean_rows_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include "host/rows.hpp"
#include "shaders/op_mean_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/mean_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

void mean_sentences(const MeanRows& t, std::size_t begin, std::size_t end) {
  const std::size_t n = t.columns;
  for (std::size_t s = begin; s < end; ++s) {
    const std::size_t first = t.ranges[2 * s], last = t.ranges[2 * s + 1];
    const float share = t.sum != 0 ? 1 : 1 / static_cast<float>(last - first);
    for_vectors(n, [&](auto d, std::size_t column) HWY_ATTR {
      auto sum = hn::Zero(d);
      for (std::size_t row = first; row < last; ++row)
        sum = hn::Add(sum, hn::LoadU(d, t.x + row * n + column));
      const auto result = hn::Mul(sum, hn::Set(d, share));
      float* const y = t.y + s * n + column;
      hn::StoreU(t.add != 0 ? hn::Add(hn::LoadU(d, y), result) : result, d, y);
    });
  }
}

void mean_sentences_backward(const MeanRowsBackward& t, std::size_t begin, std::size_t end) {
  const std::size_t n = t.columns;
  for (std::size_t s = begin; s < end; ++s) {
    const std::size_t first = t.ranges[2 * s], last = t.ranges[2 * s + 1];
    const float share = t.sum != 0 ? 1 : 1 / static_cast<float>(last - first);
    for (std::size_t row = first; row < last; ++row) {
      for_vectors(n, [&](auto d, std::size_t column) HWY_ATTR {
        const auto change = hn::Mul(hn::LoadU(d, t.dy + s * n + column), hn::Set(d, share));
        float* const dx = t.dx + row * n + column;
        hn::StoreU(t.add != 0 ? hn::Add(hn::LoadU(d, dx), change) : change, d, dx);
      });
    }
  }
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(mean_sentences);
HWY_EXPORT(mean_sentences_backward);

namespace {

// Of a sentence.
constexpr std::size_t kRows = 16;

}  // namespace

void mean_rows(ThreadPool& pool, const MeanRows& mean) {
  for_rows(pool, mean.sentences_count.rows(), kRows * mean.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(mean_sentences)(mean, begin, end);
           });
}

void mean_rows_backward(ThreadPool& pool, const MeanRowsBackward& backward) {
  for_rows(pool, backward.sentences_count.rows(), kRows * backward.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(mean_sentences_backward)(backward, begin, end);
           });
}

}  // namespace awend::host
#endif
