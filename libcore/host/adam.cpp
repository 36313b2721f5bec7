// The optimizer on the CPU, over flat buffers whose number of floats is a multiple of 4; the
// formulas are in shaders/op_adam.comp, op_moving_average.comp and op_square_sum.comp.
// Test: tests/unit/host/optimizer_test.cpp, tests/kernels/adam_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include <algorithm>

#include "host/gradient_norm.hpp"
#include "host/rows.hpp"
#include "shaders/op_adam.h"
#include "shaders/op_moving_average.h"
#include "shaders/op_square_sum.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/adam.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/lanes-inl.h"
#include "host/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

void square_groups(const SquareSum& s, std::size_t begin, std::size_t end) {
  const std::size_t vectors = s.floats_count.rows() / 4, groups = s.workgroups;
  float* const partials = s.partials + 2 * s.first_partial;
  for (std::size_t group = begin; group < end; ++group) {
    const std::size_t first = vectors * group / groups * 4;
    const std::size_t after = vectors * (group + 1) / groups * 4;
    partials[2 * group] = product_sum(s.values + first, s.values + first, after - first);
    partials[2 * group + 1] = 0;
  }
}

void update(const Adam& a, float shrink, std::size_t begin, std::size_t end) {
  float* const x = a.x + begin;
  float* const gradients = a.gradients + begin;
  float* const m = a.m + begin;
  float* const v = a.v + begin;
  const float rate = a.step->learning_rate, decay = rate * a.weight_decay;
  const float correction1 = a.step->moment1_correction, correction2 = a.step->moment2_correction;
  for_vectors(end - begin, [&](auto d, std::size_t i) HWY_ATTR {
    const auto set = [&](float value) HWY_ATTR { return hn::Set(d, value); };
    const auto g = hn::Mul(hn::LoadU(d, gradients + i), set(shrink));
    const auto m_new = hn::MulAdd(set(a.beta1), hn::LoadU(d, m + i), hn::Mul(set(1 - a.beta1), g));
    const auto v_new =
        hn::MulAdd(set(a.beta2), hn::LoadU(d, v + i), hn::Mul(hn::Mul(set(1 - a.beta2), g), g));
    const auto root = hn::Sqrt(hn::Mul(v_new, set(correction2)));
    const auto change = hn::Div(hn::Mul(set(rate), hn::Mul(m_new, set(correction1))),
                                hn::Add(root, set(a.epsilon)));
    const auto old = hn::LoadU(d, x + i);
    hn::StoreU(hn::Zero(d), d, gradients + i);
    hn::StoreU(m_new, d, m + i);
    hn::StoreU(v_new, d, v + i);
    hn::StoreU(hn::NegMulAdd(set(decay), old, hn::Sub(old, change)), d, x + i);
  });
}

void average_floats(const MovingAverage& a, std::size_t begin, std::size_t end) {
  const float* const x = a.x + begin;
  float* const average = a.average + begin;
  const float share = a.step->average_share;
  for_vectors(end - begin, [&](auto d, std::size_t i) HWY_ATTR {
    const auto old = hn::LoadU(d, average + i);
    hn::StoreU(hn::MulAdd(hn::Set(d, share), hn::Sub(hn::LoadU(d, x + i), old), old), d,
               average + i);
  });
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(square_groups);
HWY_EXPORT(update);
HWY_EXPORT(average_floats);

/// Partial sum i is that of part i of as many parts of about the same size as there are workgroups.
void square_sum(ThreadPool& pool, const SquareSum& sum) {
  const std::size_t groups = sum.workgroups;
  if (groups == 0) return;
  for_rows(pool, groups, sum.floats_count.rows() / groups, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(square_groups)(sum, begin, end);
  });
}

void adam(ThreadPool& pool, const Adam& adam) {
  if (!is_finite(norm_of(adam))) {
    std::fill_n(adam.gradients, adam.floats_count.rows(), 0.0F);
    return;
  }
  const float factor = gradient_factor(adam);
  for_floats(pool, adam.floats_count.rows(), [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(update)(adam, factor, begin, end);
  });
}

void moving_average(ThreadPool& pool, const MovingAverage& moving) {
  if (!is_finite(norm_of(moving))) return;
  for_floats(pool, moving.floats_count.rows(), [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(average_floats)(moving, begin, end);
  });
}

}  // namespace awend::host
#endif
