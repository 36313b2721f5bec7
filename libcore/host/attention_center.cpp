// The centers of local attention on the CPU; the formulas are in shaders/op_attention_center.comp.
//
// Rows are those of recurrent.cpp.
// Test: tests/unit/host/step_attention_test.cpp, tests/kernels/step_attention_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include <algorithm>

#include "host/rows.hpp"
#include "shaders/op_attention_center.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/attention_center.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/lanes-inl.h"
#include "host/math-inl.h"
#include "host/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

/// The number of keys of a row.
template <class Arguments>
HWY_INLINE float keys_of(const Arguments& t, std::size_t row) {
  return static_cast<float>(t.ranges[2 * row + 1] - t.ranges[2 * row]);
}

void center_rows(const AttentionCenter& t, std::size_t begin, std::size_t end) {
  const std::uint32_t* const table = t.table + t.rows_count.first();
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t row = table[i];
    const float* const z = t.z + i * t.columns;
    const float sum = sum_over(t.columns, [&](auto d, std::size_t column) HWY_ATTR {
      return hn::Mul(hn::LoadU(d, t.v + column), hyperbolic(d, hn::LoadU(d, z + column)));
    });
    const Four d;
    t.centers[row] = keys_of(t, row) * hn::GetLane(sigmoid(d, hn::Set(d, sum)));
    if (t.keep != 0) std::copy_n(z, t.columns, t.products + row * t.columns);
  }
}

void center_rows_backward(const AttentionCenterBackward& t, std::size_t begin, std::size_t end) {
  const std::uint32_t* const table = t.table + t.rows_count.first();
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t row = table[i];
    const float center = t.centers[row];
    const float da = t.dcenters[row] * center * (1 - center / std::max(keys_of(t, row), 1.0F));
    for_vectors(t.columns, [&](auto d, std::size_t column) HWY_ATTR {
      const std::size_t at = row * t.columns + column;
      const auto squashed = hyperbolic(d, hn::LoadU(d, t.products + at));
      const auto gradient = hn::Set(d, da);
      const auto rest = hn::NegMulAdd(squashed, squashed, hn::Set(d, 1.0F));
      const auto dz = hn::Mul(hn::Mul(gradient, hn::LoadU(d, t.v + column)), rest);
      hn::StoreU(dz, d, t.dz + i * t.columns + column);
      hn::StoreU(dz, d, t.dproducts + at);
      hn::StoreU(hn::Mul(gradient, squashed), d, t.dv + at);
    });
  }
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(center_rows);
HWY_EXPORT(center_rows_backward);

namespace {

// The hyperbolic tangent takes as long as reading some floats.
constexpr std::size_t kWork = 8;

}  // namespace

void attention_center(ThreadPool& pool, const AttentionCenter& center) {
  for_rows(pool, center.rows_count.rows(), kWork * center.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(center_rows)(center, begin, end);
           });
}

void attention_center_backward(ThreadPool& pool, const AttentionCenterBackward& backward) {
  for_rows(pool, backward.rows_count.rows(), kWork * backward.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(center_rows_backward)(backward, begin, end);
           });
}

}  // namespace awend::host
#endif
