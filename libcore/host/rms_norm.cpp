// RMS normalization on the CPU; the formulas are in shaders/op_rms_norm.comp.
//
// Sums over a row have a fixed number of partial sums (host/sums-inl.h), so that the results of all
// instruction sets with fused multiply-add are the same.
// Test: tests/unit/host/rows_test.cpp, tests/kernels/rows_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include <cmath>

#include "host/rows.hpp"
#include "shaders/op_rms_norm.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/rms_norm.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/lanes-inl.h"
#include "host/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

void rms_norm_rows(const RmsNorm& norm, std::size_t begin, std::size_t end) {
  const std::size_t columns = norm.columns;
  for (std::size_t row = begin; row < end; ++row) {
    const float* const x = norm.x + row * columns;
    float* const y = norm.y + row * columns;
    const float squares = sum_over(columns, [&](auto d, std::size_t i) HWY_ATTR {
      const auto v = hn::LoadU(d, x + i);
      return hn::Mul(v, v);
    });
    const float inverse = 1.0F / std::sqrt(squares / static_cast<float>(columns) + norm.epsilon);
    for_vectors(columns, [&](auto d, std::size_t i) HWY_ATTR {
      const auto normal = hn::Mul(hn::LoadU(d, x + i), hn::Set(d, inverse));
      hn::StoreU(hn::Mul(normal, hn::LoadU(d, norm.gain + i)), d, y + i);
    });
    norm.moments[2 * row] = 0;
    norm.moments[2 * row + 1] = inverse;
  }
}

void rms_norm_gradient_of_row(const RmsNormBackward& norm, std::size_t row) {
  const std::size_t columns = norm.columns;
  const float* const x = norm.x + row * columns;
  const float* const dy = norm.dy + row * columns;
  float* const dx = norm.dx + row * columns;
  const float inverse = norm.moments[2 * row + 1];
  const auto normal = [&](auto d, std::size_t i)
                          HWY_ATTR { return hn::Mul(hn::LoadU(d, x + i), hn::Set(d, inverse)); };
  const auto g = [&](auto d, std::size_t i) HWY_ATTR {
    return hn::Mul(hn::LoadU(d, dy + i), hn::LoadU(d, norm.gain + i));
  };
  const float sum = sum_over(
      columns, [&](auto d, std::size_t i) HWY_ATTR { return hn::Mul(g(d, i), normal(d, i)); });
  const float mean = sum / static_cast<float>(columns);
  for_vectors(columns, [&](auto d, std::size_t i) HWY_ATTR {
    const auto change =
        hn::Mul(hn::Set(d, inverse), hn::NegMulAdd(normal(d, i), hn::Set(d, mean), g(d, i)));
    hn::StoreU(norm.add != 0 ? hn::Add(hn::LoadU(d, dx + i), change) : change, d, dx + i);
  });
}

void rms_norm_gradient_of_rows(const RmsNormBackward& norm, std::size_t begin, std::size_t end) {
  for (std::size_t row = begin; row < end; ++row) rms_norm_gradient_of_row(norm, row);
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(rms_norm_rows);
HWY_EXPORT(rms_norm_gradient_of_rows);

void rms_norm(ThreadPool& pool, const RmsNorm& norm) {
  for_rows(pool, norm.rows_count.rows(), 3 * norm.columns, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(rms_norm_rows)(norm, begin, end);
  });
}

void rms_norm_backward(ThreadPool& pool, const RmsNormBackward& norm) {
  for_rows(pool, norm.rows_count.rows(), 5 * norm.columns, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(rms_norm_gradient_of_rows)(norm, begin, end);
  });
}

}  // namespace awend::host
#endif
