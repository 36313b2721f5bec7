// Stochastic gradient descent on the CPU; the formula is in shaders/op_sgd.comp.
// Test: tests/unit/host/optimizer_test.cpp, tests/kernels/sgd_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include <algorithm>

#include "host/gradient_norm.hpp"
#include "host/rows.hpp"
#include "shaders/op_sgd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/sgd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

void descend(const Sgd& s, float shrink, std::size_t begin, std::size_t end) {
  float* const x = s.x + begin;
  float* const gradients = s.gradients + begin;
  const float rate = s.step->learning_rate;
  for_vectors(end - begin, [&](auto d, std::size_t i) HWY_ATTR {
    const auto old = hn::LoadU(d, x + i);
    const auto g = hn::Mul(hn::LoadU(d, gradients + i), hn::Set(d, shrink));
    hn::StoreU(hn::Zero(d), d, gradients + i);
    const auto gradient = hn::MulAdd(hn::Set(d, s.weight_decay), old, g);
    hn::StoreU(hn::NegMulAdd(hn::Set(d, rate), gradient, old), d, x + i);
  });
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(descend);

void sgd(ThreadPool& pool, const Sgd& sgd) {
  if (!is_finite(norm_of(sgd))) {
    std::fill_n(sgd.gradients, sgd.floats_count.rows(), 0.0F);
    return;
  }
  const float factor = gradient_factor(sgd);
  for_floats(pool, sgd.floats_count.rows(), [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(descend)(sgd, factor, begin, end);
  });
}

}  // namespace awend::host
#endif
