// Activation functions on the CPU; the formulas are in shaders/op_activation.comp.
// Test: tests/unit/host/rows_test.cpp, tests/kernels/activation_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include "base/error.hpp"
#include "host/rows.hpp"
#include "shaders/op_activation.h"
#include "shaders/op_relu_backward.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/activation.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/lanes-inl.h"
#include "host/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

/// y and its derivative by z.
template <class Vector>
struct Result {
  Vector y, derivative;
};

/// The cumulative normal distribution.
template <class Tag, class Vector = hn::Vec<Tag>>
HWY_INLINE Vector normal_share(Tag d, Vector z) {
  const auto set = [&](float value) HWY_ATTR { return hn::Set(d, value); };
  const auto x = hn::Mul(hn::Abs(z), set(0.70710678118654752F));
  const auto t = hn::Div(set(1), hn::MulAdd(set(0.3275911F), x, set(1)));
  auto sum = hn::MulAdd(t, set(1.061405429F), set(-1.453152027F));
  sum = hn::MulAdd(t, sum, set(1.421413741F));
  sum = hn::MulAdd(t, sum, set(-0.284496736F));
  sum = hn::MulAdd(t, sum, set(0.254829592F));
  const auto tail =
      hn::Mul(hn::Mul(set(0.5F), hn::Mul(t, sum)), exponential(d, hn::Neg(hn::Mul(x, x))));
  return hn::IfThenElse(hn::Ge(z, hn::Zero(d)), hn::Sub(set(1), tail), tail);
}

template <std::size_t kFunction, class Tag, class Vector = hn::Vec<Tag>>
HWY_INLINE Result<Vector> activated(Tag d, Vector z) {
  const auto one = hn::Set(d, 1.0F);
  if constexpr (kFunction == ACTIVATION_SIGMOID) {
    const auto y = sigmoid(d, z);
    return {y, hn::Mul(y, hn::Sub(one, y))};
  } else if constexpr (kFunction == ACTIVATION_TANH) {
    const auto y = hyperbolic(d, z);
    return {y, hn::NegMulAdd(y, y, one)};
  } else if constexpr (kFunction == ACTIVATION_SWISH) {
    const auto share = sigmoid(d, z);
    const auto density = hn::Mul(share, hn::Sub(one, share));
    return {hn::Mul(z, share), hn::MulAdd(z, density, share)};
  } else {
    const auto share = normal_share(d, z);
    const auto power = exponential(d, hn::Mul(hn::Set(d, -0.5F), hn::Mul(z, z)));
    const auto density = hn::Mul(hn::Set(d, 0.39894228040143268F), power);
    return {hn::Mul(z, share), hn::MulAdd(z, density, share)};
  }
}

/// Calls body with the activation function of a number, which takes a tag and a vector.
template <class Body>
HWY_INLINE void with_function(std::size_t function, const Body& body) {
  const auto of = [&]<std::size_t kFunction>() HWY_ATTR {
    body([](auto d, auto z) HWY_ATTR { return activated<kFunction>(d, z); });
  };
  switch (function) {
    case ACTIVATION_GELU:
      return of.template operator()<ACTIVATION_GELU>();
    case ACTIVATION_SWISH:
      return of.template operator()<ACTIVATION_SWISH>();
    case ACTIVATION_SIGMOID:
      return of.template operator()<ACTIVATION_SIGMOID>();
    default:
      base::check(function == ACTIVATION_TANH, "the number is one of lib/activations.h");
      return of.template operator()<ACTIVATION_TANH>();
  }
}

void activate_rows(const Activation& a, std::size_t begin, std::size_t end) {
  const float* const z = a.z + begin * a.columns;
  float* const y = a.y + begin * a.columns;
  with_function(a.function, [&](auto function) HWY_ATTR {
    for_vectors((end - begin) * a.columns, [&](auto d, std::size_t i) HWY_ATTR {
      hn::StoreU(function(d, hn::LoadU(d, z + i)).y, d, y + i);
    });
  });
}

void activate_backward_rows(const ActivationBackward& a, std::size_t begin, std::size_t end) {
  const float* const z = a.z + begin * a.columns;
  const float* const dy = a.dy + begin * a.columns;
  float* const dz = a.dz + begin * a.columns;
  with_function(a.function, [&](auto function) HWY_ATTR {
    for_vectors((end - begin) * a.columns, [&](auto d, std::size_t i) HWY_ATTR {
      const auto derivative = function(d, hn::LoadU(d, z + i)).derivative;
      const auto change = hn::LoadU(d, dy + i);
      hn::StoreU(a.add != 0 ? hn::MulAdd(change, derivative, hn::LoadU(d, dz + i))
                            : hn::Mul(change, derivative),
                 d, dz + i);
    });
  });
}

void relu_backward_rows(const ReluBackward& r, std::size_t begin, std::size_t end) {
  const float* const y = r.y + begin * r.columns;
  float* const dy = r.dy + begin * r.columns;
  for_vectors((end - begin) * r.columns, [&](auto d, std::size_t i) HWY_ATTR {
    const auto is_positive = hn::Gt(hn::LoadU(d, y + i), hn::Zero(d));
    hn::StoreU(hn::IfThenElseZero(is_positive, hn::LoadU(d, dy + i)), d, dy + i);
  });
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(activate_rows);
HWY_EXPORT(activate_backward_rows);
HWY_EXPORT(relu_backward_rows);

void activation(ThreadPool& pool, const Activation& activation) {
  for_rows(pool, activation.rows_count.rows(), 4 * activation.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(activate_rows)(activation, begin, end);
           });
}

void activation_backward(ThreadPool& pool, const ActivationBackward& backward) {
  for_rows(pool, backward.rows_count.rows(), 4 * backward.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(activate_backward_rows)(backward, begin, end);
           });
}

void relu_backward(ThreadPool& pool, const ReluBackward& backward) {
  for_rows(pool, backward.rows_count.rows(), backward.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(relu_backward_rows)(backward, begin, end);
           });
}

}  // namespace awend::host
#endif
