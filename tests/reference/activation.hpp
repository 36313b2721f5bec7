// Activations of the feed-forward network: the paper's ReLU, and GELU and swish beside it.
#pragma once

#include <cmath>
#include <numbers>

#include "tests/reference/matrix.hpp"

namespace awend::reference {

enum class Activation { kNone, kRelu, kGelu, kSwish };

inline double activate(double z, Activation activation) {
  switch (activation) {
    case Activation::kNone:
      return z;
    case Activation::kRelu:
      return z > 0 ? z : 0;
    case Activation::kGelu:
      return z * 0.5 * std::erfc(-z / std::numbers::sqrt2);
    case Activation::kSwish:
      return z / (1 + std::exp(-z));
  }
  return z;
}

/// The slope at `z`; that of the ReLU at zero is taken as zero.
inline double slope(double z, Activation activation) {
  switch (activation) {
    case Activation::kNone:
      return 1;
    case Activation::kRelu:
      return z > 0 ? 1 : 0;
    case Activation::kGelu:
      return 0.5 * std::erfc(-z / std::numbers::sqrt2) +
             z * std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    case Activation::kSwish: {
      const double share = 1 / (1 + std::exp(-z));
      return share + z * share * (1 - share);
    }
  }
  return 1;
}

inline Matrix activate(Matrix z, Activation activation) {
  for (double& value : z.values) value = activate(value, activation);
  return z;
}

inline Matrix activate_backward(const Matrix& z, Matrix dy, Activation activation) {
  for (std::size_t i = 0; i < dy.values.size(); ++i) dy.values[i] *= slope(z.values[i], activation);
  return dy;
}

}  // namespace awend::reference
