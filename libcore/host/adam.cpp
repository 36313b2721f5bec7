// Highway compiles this file once for each instruction set.
#include "host/adam.hpp"

#include <algorithm>

#include "host/rows.hpp"

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
  const std::size_t vectors = s.count / 4;
  for (std::size_t group = begin; group < end; ++group) {
    const std::size_t first = vectors * group / s.groups * 4;
    const std::size_t after = vectors * (group + 1) / s.groups * 4;
    s.partials[2 * group] = product_sum(s.values + first, s.values + first, after - first);
    s.partials[2 * group + 1] = 0;
  }
}

void update(const Adam& a, std::size_t begin, std::size_t end) {
  float* const x = a.x + begin;
  float* const gradients = a.gradients + begin;
  float* const m = a.m + begin;
  float* const v = a.v + begin;
  const float decay = a.rate * a.decay;
  for_vectors(end - begin, [&](auto d, std::size_t i) HWY_ATTR {
    const auto set = [&](float value) HWY_ATTR { return hn::Set(d, value); };
    const auto g = hn::Mul(hn::LoadU(d, gradients + i), set(a.shrink));
    const auto m_new = hn::MulAdd(set(a.beta1), hn::LoadU(d, m + i), hn::Mul(set(1 - a.beta1), g));
    const auto v_new =
        hn::MulAdd(set(a.beta2), hn::LoadU(d, v + i), hn::Mul(hn::Mul(set(1 - a.beta2), g), g));
    const auto root = hn::Sqrt(hn::Mul(v_new, set(a.correction2)));
    const auto change = hn::Div(hn::Mul(set(a.rate), hn::Mul(m_new, set(a.correction1))),
                                hn::Add(root, set(a.epsilon)));
    const auto old = hn::LoadU(d, x + i);
    hn::StoreU(hn::Zero(d), d, gradients + i);
    hn::StoreU(m_new, d, m + i);
    hn::StoreU(v_new, d, v + i);
    hn::StoreU(hn::NegMulAdd(set(decay), old, hn::Sub(old, change)), d, x + i);
  });
}

void average(const MovingAverage& a, std::size_t begin, std::size_t end) {
  const float* const x = a.x + begin;
  float* const average = a.average + begin;
  for_vectors(end - begin, [&](auto d, std::size_t i) HWY_ATTR {
    const auto old = hn::LoadU(d, average + i);
    hn::StoreU(hn::MulAdd(hn::Set(d, a.share), hn::Sub(hn::LoadU(d, x + i), old), old), d,
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
HWY_EXPORT(average);

namespace {

/// Calls body(begin, end) for parts of [0, count) floats, which begin at multiples of 4.
template <class Body>
void for_floats(ThreadPool& pool, std::size_t count, const Body& body) {
  for_rows(pool, count / 4, 4,
           [&](std::size_t begin, std::size_t end) { body(4 * begin, 4 * end); });
}

}  // namespace

void square_sum(ThreadPool& pool, const SquareSum& sum) {
  if (sum.groups == 0) return;
  for_rows(pool, sum.groups, sum.count / sum.groups, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(square_groups)(sum, begin, end);
  });
}

void adam(ThreadPool& pool, const Adam& adam) {
  for_floats(pool, adam.count, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(update)(adam, begin, end);
  });
}

void moving_average(ThreadPool& pool, const MovingAverage& moving) {
  for_floats(pool, moving.count, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(average)(moving, begin, end);
  });
}

}  // namespace awend::host
#endif
