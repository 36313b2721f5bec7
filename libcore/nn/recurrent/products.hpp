// The matrix products of recurrent layers, for operations that append their gradients themselves.
#pragma once

#include <optional>

#include "nn/parameters.hpp"

namespace awend::nn {

class Graph;

enum class Result { kWritten, kAdded };

/// y = x · w + bias, or y += x · w.
struct StepProduct {
  Tensor x;
  Parameter w;
  Tensor y;
  std::optional<Parameter> bias = {};
  Result result = Result::kWritten;
};
void multiply(Graph& graph, const StepProduct& product);

/// dx = dy · wᵀ, or dx += dy · wᵀ.
struct StepProductGradient {
  Tensor dy;
  Parameter w;
  Tensor dx;
  Result result = Result::kWritten;
};
void multiply_transposed(Graph& graph, const StepProductGradient& product);

/// Adds xᵀ · dy to the gradient of `w`, and the sums of the columns of dy to that of `bias`.
void add_weight_gradient(Graph& graph, const Tensor& x, const Tensor& dy, const Parameter& w,
                         const std::optional<Parameter>& bias = std::nullopt);

}  // namespace awend::nn
