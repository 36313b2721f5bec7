// Gated activation functions: f(z) * x, element by element (Shazeer, 2020).
#pragma once

#include "tests/reference/activation.hpp"

namespace awend::reference {

inline Matrix gated_activation(const Matrix& z, const Matrix& x, Activation activation) {
  Matrix y = activate(z, activation);
  for (std::size_t i = 0; i < y.values.size(); ++i) y.values[i] *= x.values[i];
  return y;
}

struct GateGradient {
  Matrix dz, dx;
};

inline GateGradient gated_activation_backward(const Matrix& z, const Matrix& x, const Matrix& dy,
                                              Activation activation) {
  GateGradient result{activate_backward(z, dy, activation), activate(z, activation)};
  for (std::size_t i = 0; i < dy.values.size(); ++i) {
    result.dz.values[i] *= x.values[i];
    result.dx.values[i] *= dy.values[i];
  }
  return result;
}

}  // namespace awend::reference
