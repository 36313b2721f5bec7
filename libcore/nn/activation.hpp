// Activation functions.  A new one needs: a number in shaders/lib/activations.h, an enumerator and
// a name here, its formula in shaders/lib/activations.glsl and host/activations-inl.h, and a
// reference in tests/reference/activation.hpp.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/field.hpp"

namespace awend::nn {

/// By the numbers of kernels, whose header is not included here because it defines macros.
enum class Activation : std::uint32_t {
  kNone = 0,
  kRelu = 1,     ///< max(0, z)
  kGelu = 2,     ///< z Φ(z) (Hendrycks and Gimpel, 2016)
  kSwish = 3,    ///< z σ(z) (Ramachandran et al., 2017), also called SiLU
  kSigmoid = 4,  ///< σ(z) = 1 / (1 + exp(−z))
  kTanh = 5,
  kGeluTanh = 6,     ///< kGelu with Φ(z) by a hyperbolic tangent, as in GPT-2
  kGeluSigmoid = 7,  ///< z σ(1.702 z), for kGelu
};

inline constexpr base::Word<Activation> kActivationWords[] = {
    {Activation::kNone, "none"},          {Activation::kRelu, "relu"},
    {Activation::kGelu, "gelu"},          {Activation::kSwish, "swish"},
    {Activation::kSigmoid, "sigmoid"},    {Activation::kTanh, "tanh"},
    {Activation::kGeluTanh, "gelu-tanh"}, {Activation::kGeluSigmoid, "gelu-sigmoid"}};

constexpr std::string_view name_of(Activation activation) {
  return base::word_for(kActivationWords, activation);
}

}  // namespace awend::nn
