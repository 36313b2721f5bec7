// Layer normalization over the columns of each row (Ba, Kiros, Hinton 2016), as in the sub-layers
// of the paper.
//
// y = gain * (x - mean) / sqrt(variance + epsilon) + bias; x, y (rows, columns); gain, bias (1,
// columns); the variance is the biased one, divided by the number of columns.
#pragma once

#include <cmath>

#include "tests/reference/matrix.hpp"

namespace awend::reference {

inline constexpr double kLayerNormEpsilon = 1e-6;

/// Intermediate results for the backward pass, (rows, 1) each.
struct RowMoments {
  Matrix mean, inverse_deviation;
};

inline RowMoments row_moments(const Matrix& x, double epsilon = kLayerNormEpsilon) {
  RowMoments moments{Matrix(x.rows, 1), Matrix(x.rows, 1)};
  const auto count = static_cast<double>(x.columns);
  for (std::size_t row = 0; row < x.rows; ++row) {
    double sum = 0;
    for (std::size_t column = 0; column < x.columns; ++column) sum += x(row, column);
    const double mean = sum / count;
    double squares = 0;
    for (std::size_t column = 0; column < x.columns; ++column) {
      squares += (x(row, column) - mean) * (x(row, column) - mean);
    }
    moments.mean(row, 0) = mean;
    moments.inverse_deviation(row, 0) = 1 / std::sqrt(squares / count + epsilon);
  }
  return moments;
}

/// (x - mean) / deviation, the value before gain and bias.
inline Matrix standardized(const Matrix& x, const RowMoments& moments) {
  Matrix result(x.rows, x.columns);
  for (std::size_t row = 0; row < x.rows; ++row) {
    for (std::size_t column = 0; column < x.columns; ++column) {
      result(row, column) =
          (x(row, column) - moments.mean(row, 0)) * moments.inverse_deviation(row, 0);
    }
  }
  return result;
}

inline Matrix layer_norm(const Matrix& x, const Matrix& gain, const Matrix& bias,
                         double epsilon = kLayerNormEpsilon) {
  Matrix y = standardized(x, row_moments(x, epsilon));
  for (std::size_t row = 0; row < y.rows; ++row) {
    for (std::size_t column = 0; column < y.columns; ++column) {
      y(row, column) = y(row, column) * gain(0, column) + bias(0, column);
    }
  }
  return y;
}

struct LayerNormGradient {
  Matrix dx, dgain, dbias;
};

inline LayerNormGradient layer_norm_backward(const Matrix& x, const Matrix& gain, const Matrix& dy,
                                             double epsilon = kLayerNormEpsilon) {
  const RowMoments moments = row_moments(x, epsilon);
  const Matrix normal = standardized(x, moments);
  LayerNormGradient result{Matrix(x.rows, x.columns), Matrix(1, x.columns), Matrix(1, x.columns)};
  for (std::size_t row = 0; row < x.rows; ++row) {
    double mean = 0;             // of the gradient of the standardized row
    double mean_with_value = 0;  // of that gradient times the standardized row
    for (std::size_t column = 0; column < x.columns; ++column) {
      const double dnormal = dy(row, column) * gain(0, column);
      mean += dnormal / static_cast<double>(x.columns);
      mean_with_value += dnormal * normal(row, column) / static_cast<double>(x.columns);
      result.dgain(0, column) += dy(row, column) * normal(row, column);
      result.dbias(0, column) += dy(row, column);
    }
    for (std::size_t column = 0; column < x.columns; ++column) {
      const double dnormal = dy(row, column) * gain(0, column);
      result.dx(row, column) = moments.inverse_deviation(row, 0) *
                               (dnormal - mean - normal(row, column) * mean_with_value);
    }
  }
  return result;
}

}  // namespace awend::reference
