// Activation functions and their derivatives.
#pragma once

#include <cmath>
#include <numbers>

#include "nn/activation.hpp"
#include "tests/reference/matrix.hpp"

namespace awend::reference {

using nn::Activation;

inline double sigmoid(double z) {
  return 1 / (1 + std::exp(-z));
}

/// An approximation of the cumulative normal distribution, 0.5 (1 + tanh(…)).
inline double normal_share_by_tanh(double z) {
  return 0.5 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (z + 0.044715 * z * z * z)));
}

inline double activate(double z, Activation activation) {
  switch (activation) {
    case Activation::kNone:
      return z;
    case Activation::kRelu:
      return z > 0 ? z : 0;
    case Activation::kGelu:
      return z * 0.5 * std::erfc(-z / std::numbers::sqrt2);
    case Activation::kSwish:
      return z * sigmoid(z);
    case Activation::kSigmoid:
      return sigmoid(z);
    case Activation::kTanh:
      return std::tanh(z);
    case Activation::kGeluTanh:
      return z * normal_share_by_tanh(z);
    case Activation::kGeluSigmoid:
      return z * sigmoid(1.702 * z);
  }
  return z;
}

/// The derivative at `z`; that of the ReLU at zero is zero.
inline double derivative(double z, Activation activation) {
  switch (activation) {
    case Activation::kNone:
      return 1;
    case Activation::kRelu:
      return z > 0 ? 1 : 0;
    case Activation::kGelu:
      return 0.5 * std::erfc(-z / std::numbers::sqrt2) +
             z * std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    case Activation::kSwish:
      return sigmoid(z) + z * sigmoid(z) * sigmoid(-z);
    case Activation::kSigmoid:
      return sigmoid(z) * sigmoid(-z);
    case Activation::kTanh:
      return 1 / (std::cosh(z) * std::cosh(z));
    case Activation::kGeluTanh: {
      const double share = normal_share_by_tanh(z);
      const double slope = std::sqrt(2 / std::numbers::pi) * (1 + 3 * 0.044715 * z * z);
      return share + z * 2 * share * (1 - share) * slope;
    }
    case Activation::kGeluSigmoid:
      return sigmoid(1.702 * z) + 1.702 * z * sigmoid(1.702 * z) * sigmoid(-1.702 * z);
  }
  return 1;
}

inline Matrix activate(Matrix z, Activation activation) {
  for (double& value : z.values) value = activate(value, activation);
  return z;
}

inline Matrix activate_backward(const Matrix& z, Matrix dy, Activation activation) {
  for (std::size_t i = 0; i < dy.values.size(); ++i)
    dy.values[i] *= derivative(z.values[i], activation);
  return dy;
}

}  // namespace awend::reference
