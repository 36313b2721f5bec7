// Activation functions and their derivatives; the formulas are in shaders/lib/activations.glsl.
// Like other files of Highway with this ending, it is included once for each instruction set, after
// Highway's headers.
#if defined(AWEND_HOST_ACTIVATIONS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef AWEND_HOST_ACTIVATIONS_INL
#undef AWEND_HOST_ACTIVATIONS_INL
#else
#define AWEND_HOST_ACTIVATIONS_INL
#endif

#include <hwy/highway.h>

#include <cstddef>

#include "base/error.hpp"
#include "host/math-inl.h"
#include "shaders/lib/activations.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {

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
  } else if constexpr (kFunction == ACTIVATION_RELU) {
    const auto is_positive = hn::Gt(z, hn::Zero(d));
    return {hn::IfThenElseZero(is_positive, z), hn::IfThenElseZero(is_positive, one)};
  } else if constexpr (kFunction == ACTIVATION_GELU_TANH) {
    const auto square = hn::Mul(z, z);
    const auto set = [&](float value) HWY_ATTR { return hn::Set(d, value); };
    const auto inner = hn::Mul(z, hn::MulAdd(set(0.044715F), square, one));
    const auto share = sigmoid(d, hn::Mul(set(1.5957691216057308F), inner));
    const auto slope =
        hn::Mul(set(1.5957691216057308F), hn::MulAdd(set(0.134145F), square, one));
    const auto density = hn::Mul(hn::Mul(share, hn::Sub(one, share)), slope);
    return {hn::Mul(z, share), hn::MulAdd(z, density, share)};
  } else if constexpr (kFunction == ACTIVATION_GELU_SIGMOID) {
    const auto factor = hn::Set(d, 1.702F);
    const auto share = sigmoid(d, hn::Mul(factor, z));
    const auto density = hn::Mul(factor, hn::Mul(share, hn::Sub(one, share)));
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
    case ACTIVATION_RELU:
      return of.template operator()<ACTIVATION_RELU>();
    case ACTIVATION_GELU_TANH:
      return of.template operator()<ACTIVATION_GELU_TANH>();
    case ACTIVATION_GELU_SIGMOID:
      return of.template operator()<ACTIVATION_GELU_SIGMOID>();
    default:
      base::check(function == ACTIVATION_TANH, "the number is one of lib/activations.h");
      return of.template operator()<ACTIVATION_TANH>();
  }
}

}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
