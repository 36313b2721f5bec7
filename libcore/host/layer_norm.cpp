// Layer normalization on the CPU; the formulas are in shaders/op_layer_norm.comp.
//
// Sums over a row have a fixed number of partial sums (host/sums-inl.h), so that the results of all
// instruction sets with fused multiply-add are the same.
// Test: tests/unit/host/rows_test.cpp, tests/kernels/rows_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include <cmath>

#include "host/rows.hpp"
#include "shaders/op_layer_norm.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/layer_norm.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/lanes-inl.h"
#include "host/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

void normalize(const LayerNorm& norm, std::size_t row) {
  const std::size_t columns = norm.columns;
  const float* const x = norm.x + row * columns;
  float* const y = norm.y + row * columns;
  const float mean =
      sum_over(columns, [&](auto d, std::size_t i) HWY_ATTR { return hn::LoadU(d, x + i); }) /
      static_cast<float>(columns);
  const float variance = sum_over(columns,
                                  [&](auto d, std::size_t i) HWY_ATTR {
                                    const auto v = hn::Sub(hn::LoadU(d, x + i), hn::Set(d, mean));
                                    return hn::Mul(v, v);
                                  }) /
                         static_cast<float>(columns);
  const float inverse_deviation = 1.0F / std::sqrt(variance + norm.epsilon);
  for_vectors(columns, [&](auto d, std::size_t i) HWY_ATTR {
    const auto normal =
        hn::Mul(hn::Sub(hn::LoadU(d, x + i), hn::Set(d, mean)), hn::Set(d, inverse_deviation));
    hn::StoreU(hn::MulAdd(normal, hn::LoadU(d, norm.gain + i), hn::LoadU(d, norm.bias + i)), d,
               y + i);
  });
  norm.moments[2 * row] = mean;
  norm.moments[2 * row + 1] = inverse_deviation;
}

void normalize_rows(const LayerNorm& norm, std::size_t begin, std::size_t end) {
  for (std::size_t row = begin; row < end; ++row) normalize(norm, row);
}

void gradient_of_row(const LayerNormBackward& norm, std::size_t row) {
  const std::size_t columns = norm.columns;
  const float* const x = norm.x + row * columns;
  const float* const dy = norm.dy + row * columns;
  float* const dx = norm.dx + row * columns;
  const float mean = norm.moments[2 * row], inverse_deviation = norm.moments[2 * row + 1];
  const auto normal = [&](auto d, std::size_t i) HWY_ATTR {
    return hn::Mul(hn::Sub(hn::LoadU(d, x + i), hn::Set(d, mean)), hn::Set(d, inverse_deviation));
  };
  const auto g = [&](auto d, std::size_t i) HWY_ATTR {
    return hn::Mul(hn::LoadU(d, dy + i), hn::LoadU(d, norm.gain + i));
  };
  SixteenSums sum_g, sum_gn;
  add_all(sum_g, columns, g);
  add_all(sum_gn, columns,
          [&](auto d, std::size_t i) HWY_ATTR { return hn::Mul(g(d, i), normal(d, i)); });
  const float mean_g = sum_g.total() / static_cast<float>(columns);
  const float mean_gn = sum_gn.total() / static_cast<float>(columns);
  for_vectors(columns, [&](auto d, std::size_t i) HWY_ATTR {
    const auto centered = hn::Sub(g(d, i), hn::Set(d, mean_g));
    const auto change = hn::Mul(hn::Set(d, inverse_deviation),
                                hn::NegMulAdd(normal(d, i), hn::Set(d, mean_gn), centered));
    hn::StoreU(norm.add != 0 ? hn::Add(hn::LoadU(d, dx + i), change) : change, d, dx + i);
  });
}

void gradient_of_rows(const LayerNormBackward& norm, std::size_t begin, std::size_t end) {
  for (std::size_t row = begin; row < end; ++row) gradient_of_row(norm, row);
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(normalize_rows);
HWY_EXPORT(gradient_of_rows);

void layer_norm(ThreadPool& pool, const LayerNorm& norm) {
  for_rows(pool, norm.rows_count.rows(), 4 * norm.columns, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(normalize_rows)(norm, begin, end);
  });
}

void layer_norm_backward(ThreadPool& pool, const LayerNormBackward& norm) {
  for_rows(pool, norm.rows_count.rows(), 6 * norm.columns, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(gradient_of_rows)(norm, begin, end);
  });
}

}  // namespace awend::host
#endif
