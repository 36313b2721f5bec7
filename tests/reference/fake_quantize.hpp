// Numbers rounded as products of 8-bit integers round their operands; see
// shaders/op_fake_quantize.comp.
#pragma once

#include <algorithm>
#include <cmath>

#include "tests/reference/matrix.hpp"

namespace awend::reference {

/// The nearest integer in [-127, 127], times `step`.
inline double fake_quantize(double x, double step) {
  return std::clamp(std::nearbyint(x / step), -127.0, 127.0) * step;
}

inline Matrix fake_quantize(Matrix x, double scale) {
  for (double& value : x.values) value = fake_quantize(value, 1 / scale);
  return x;
}

/// The largest magnitude of each row, (rows, 1).
inline Matrix row_magnitudes(const Matrix& x) {
  Matrix largest(x.rows, 1);
  for (std::size_t row = 0; row < x.rows; ++row) {
    for (std::size_t column = 0; column < x.columns; ++column)
      largest(row, 0) = std::max(largest(row, 0), std::abs(x(row, column)));
  }
  return largest;
}

/// With 1/127 of the largest magnitude in each row.
inline Matrix fake_quantize_rows(Matrix x) {
  const Matrix largest = row_magnitudes(x);
  for (std::size_t row = 0; row < x.rows; ++row) {
    if (largest(row, 0) == 0) continue;
    for (std::size_t column = 0; column < x.columns; ++column)
      x(row, column) = fake_quantize(x(row, column), largest(row, 0) / 127);
  }
  return x;
}

inline Matrix fake_quantize_columns(const Matrix& x) {
  return transpose(fake_quantize_rows(transpose(x)));
}

}  // namespace awend::reference
