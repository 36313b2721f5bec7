// Linear maps: y = x W + b, with an optional ReLU (section 3.3 of the paper).
//
// x (rows, in), W (in, out), b (1, out) or empty, y (rows, out).
#pragma once

#include "tests/reference/activation.hpp"
#include "tests/reference/matrix.hpp"

namespace awend::reference {

/// a b: (rows, inner) times (inner, columns).
inline Matrix product(const Matrix& a, const Matrix& b) {
  base::check(a.columns == b.rows, "the inner dimensions agree");
  Matrix result(a.rows, b.columns);
  for (std::size_t row = 0; row < a.rows; ++row) {
    for (std::size_t inner = 0; inner < a.columns; ++inner) {
      for (std::size_t column = 0; column < b.columns; ++column) {
        result(row, column) += a(row, inner) * b(inner, column);
      }
    }
  }
  return result;
}

inline Matrix linear(const Matrix& x, const Matrix& w, const Matrix& b, Activation activation) {
  Matrix y = product(x, w);
  for (std::size_t row = 0; row < y.rows; ++row) {
    for (std::size_t column = 0; column < y.columns; ++column) {
      double& value = y(row, column);
      if (!b.values.empty()) value += b(0, column);
      value = activate(value, activation);
    }
  }
  return y;
}

struct LinearGradient {
  Matrix dx, dw, db;
};

/// Gradients from dy (rows, out) and, for the ReLU, the output y itself; its derivative
/// at zero is zero.
inline LinearGradient linear_backward(const Matrix& x, const Matrix& w, const Matrix& y, Matrix dy,
                                      Activation activation) {
  if (activation == Activation::kRelu) {
    for (std::size_t element = 0; element < dy.values.size(); ++element) {
      if (y.values[element] <= 0) dy.values[element] = 0;
    }
  }
  Matrix db(1, dy.columns);
  for (std::size_t row = 0; row < dy.rows; ++row) {
    for (std::size_t column = 0; column < dy.columns; ++column) db(0, column) += dy(row, column);
  }
  return {product(dy, transpose(w)), product(transpose(x), dy), db};
}

}  // namespace awend::reference
