// Matrices of doubles in row-major order, and random ones for tests.
//
// The reference consists of the operations of the Transformer in plain loops over doubles, forward
// and backward: kernels are compared with it, and its gradients with central differences
// (gradient_check.hpp).  Conventions: a gradient has the name of its value with the prefix d; a
// backward function returns new gradients and does not add to existing ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "base/random.hpp"

namespace awend::reference {

struct Matrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;

  Matrix() = default;
  Matrix(std::size_t row_count, std::size_t column_count)
      : rows(row_count), columns(column_count), values(row_count * column_count) {}

  double& operator()(std::size_t row, std::size_t column) { return values[row * columns + column]; }
  double operator()(std::size_t row, std::size_t column) const {
    return values[row * columns + column];
  }
};

/// The (rows, columns) matrix of `values` from a device.
inline Matrix from_floats(std::span<const float> values, std::size_t rows, std::size_t columns) {
  base::check(values.size() == rows * columns, "the values fill the matrix");
  Matrix matrix(rows, columns);
  matrix.values.assign(values.begin(), values.end());
  return matrix;
}

/// The matrix as floats, for a device.
inline std::vector<float> to_floats(const Matrix& matrix) {
  return {matrix.values.begin(), matrix.values.end()};
}

inline Matrix transpose(const Matrix& matrix) {
  Matrix result(matrix.columns, matrix.rows);
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    for (std::size_t column = 0; column < matrix.columns; ++column) {
      result(column, row) = matrix(row, column);
    }
  }
  return result;
}

/// A matrix of standard normal numbers that are exact in single precision, as on a device.
inline Matrix random_matrix(std::size_t rows, std::size_t columns, base::Random& random) {
  Matrix matrix(rows, columns);
  for (double& value : matrix.values) value = random.normal();
  return matrix;
}

}  // namespace awend::reference
