// The parts of Muon on the CPU that are not products; the formulas are in shaders/op_muon.comp.
// Test: tests/unit/host/optimizer_test.cpp, tests/kernels/muon_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include <algorithm>
#include <cmath>

#include "host/gradient_norm.hpp"
#include "host/rows.hpp"
#include "shaders/op_muon.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/muon.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

void follow_momentum(const MuonMomentum& a, float shrink, std::size_t begin, std::size_t end) {
  float* const gradients = a.gradients + begin;
  float* const m = a.m + begin;
  float* const u = a.u + begin;
  const float of_gradient = (1 - a.momentum) * shrink;
  for_vectors(end - begin, [&](auto d, std::size_t i) HWY_ATTR {
    const auto momentum = hn::Set(d, a.momentum);
    const auto share = hn::Mul(hn::LoadU(d, gradients + i), hn::Set(d, of_gradient));
    const auto m_new = hn::MulAdd(momentum, hn::LoadU(d, m + i), share);
    hn::StoreU(hn::Zero(d), d, gradients + i);
    hn::StoreU(m_new, d, m + i);
    hn::StoreU(hn::MulAdd(momentum, m_new, share), d, u + i);
  });
}

/// `of_x` and `of_a` are the factors of X and A.
void polynomial_rows(const MuonPolynomial& p, float of_x, float of_a, std::size_t begin,
                     std::size_t end) {
  const std::size_t columns = p.columns;
  for (std::size_t row = begin; row < end; ++row) {
    const float* const a = p.a + row * columns;
    float* const square = p.square + row * columns;
    for_vectors(columns, [&](auto d, std::size_t i) HWY_ATTR {
      const auto of_square = hn::Mul(hn::Set(d, of_a), hn::LoadU(d, square + i));
      const auto sum = hn::MulAdd(hn::Set(d, p.quadratic), of_square,
                                  hn::Mul(hn::Set(d, p.linear), hn::LoadU(d, a + i)));
      hn::StoreU(hn::Mul(hn::Set(d, of_x), hn::Mul(hn::Set(d, of_a), sum)), d, square + i);
    });
    square[row] += of_x * p.constant;
  }
}

void step(const MuonUpdate& a, std::size_t begin, std::size_t end) {
  const float* const direction = a.direction + begin;
  float* const x = a.x + begin;
  const float rate = a.step->learning_rate;
  for_vectors(end - begin, [&](auto d, std::size_t i) HWY_ATTR {
    const auto old = hn::LoadU(d, x + i);
    const auto change = hn::MulAdd(hn::Set(d, a.weight_decay), old,
                                   hn::Mul(hn::Set(d, a.scale), hn::LoadU(d, direction + i)));
    hn::StoreU(hn::NegMulAdd(hn::Set(d, rate), change, old), d, x + i);
  });
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(follow_momentum);
HWY_EXPORT(polynomial_rows);
HWY_EXPORT(step);

void muon_momentum(ThreadPool& pool, const MuonMomentum& momentum) {
  const std::size_t count = momentum.floats_count.rows();
  if (!is_finite(norm_of(momentum))) {
    std::fill_n(momentum.gradients, count, 0.0F);
    std::fill_n(momentum.u, count, 0.0F);
    return;
  }
  const float factor = gradient_factor(momentum);
  for_floats(pool, count, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(follow_momentum)(momentum, factor, begin, end);
  });
}

void muon_polynomial(ThreadPool& pool, const MuonPolynomial& polynomial) {
  const std::size_t rows = polynomial.rows_count.rows(), columns = polynomial.columns;
  float of_x = 1, of_a = 1;
  if (polynomial.normalize != 0) {
    float squares = 0;  // the trace of A
    for (std::size_t i = 0; i < rows; ++i) squares += polynomial.a[i * columns + i];
    of_a = squares > MUON_LEAST_SQUARES ? 1 / squares : 0;
    of_x = std::sqrt(of_a);
  }
  for_rows(pool, rows, columns, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(polynomial_rows)(polynomial, of_x, of_a, begin, end);
  });
}

void muon_update(ThreadPool& pool, const MuonUpdate& update) {
  if (!is_finite(norm_of(update))) return;
  for_floats(pool, update.floats_count.rows(), [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(step)(update, begin, end);
  });
}

}  // namespace awend::host
#endif
