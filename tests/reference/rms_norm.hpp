// RMS normalization over the columns of each row (Zhang and Sennrich, 2019).
//
// y = gain * x / sqrt(mean of x^2 + epsilon); x, y (rows, columns); gain (1, columns).
#pragma once

#include <cmath>

#include "tests/reference/matrix.hpp"

namespace awend::reference {

/// 1 / sqrt(mean of x^2 + epsilon) of a row.
inline double inverse_rms(const Matrix& x, std::size_t row, double epsilon) {
  double squares = 0;
  for (std::size_t column = 0; column < x.columns; ++column)
    squares += x(row, column) * x(row, column);
  return 1 / std::sqrt(squares / static_cast<double>(x.columns) + epsilon);
}

inline Matrix rms_norm(const Matrix& x, const Matrix& gain, double epsilon) {
  Matrix y(x.rows, x.columns);
  for (std::size_t row = 0; row < x.rows; ++row) {
    const double inverse = inverse_rms(x, row, epsilon);
    for (std::size_t column = 0; column < x.columns; ++column)
      y(row, column) = x(row, column) * inverse * gain(0, column);
  }
  return y;
}

struct RmsNormGradient {
  Matrix dx, dgain;
};

inline RmsNormGradient rms_norm_backward(const Matrix& x, const Matrix& gain, const Matrix& dy,
                                         double epsilon) {
  RmsNormGradient result{Matrix(x.rows, x.columns), Matrix(1, x.columns)};
  for (std::size_t row = 0; row < x.rows; ++row) {
    const double inverse = inverse_rms(x, row, epsilon);
    double mean = 0;  // of the gradient of the normalized row times that row
    for (std::size_t column = 0; column < x.columns; ++column) {
      const double normal = x(row, column) * inverse;
      mean += dy(row, column) * gain(0, column) * normal / static_cast<double>(x.columns);
      result.dgain(0, column) += dy(row, column) * normal;
    }
    for (std::size_t column = 0; column < x.columns; ++column) {
      const double normal = x(row, column) * inverse;
      result.dx(row, column) = inverse * (dy(row, column) * gain(0, column) - normal * mean);
    }
  }
  return result;
}

}  // namespace awend::reference
