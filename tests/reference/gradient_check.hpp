// Comparison of a gradient with central differences in double precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

#include "tests/catch.hpp"
#include "tests/reference/matrix.hpp"

namespace awend::reference {

/// The sum of weights * values: a loss whose gradient with respect to `values` is `weights`.
inline double weighted_sum(const Matrix& weights, const Matrix& values) {
  REQUIRE(weights.values.size() == values.values.size());
  double sum = 0;
  for (std::size_t i = 0; i < values.values.size(); ++i) {
    sum += weights.values[i] * values.values[i];
  }
  return sum;
}

/// The derivative of `loss` with respect to `value`, from four differences: the error is
/// proportional to the fourth power of the step, so the step can be large compared with rounding.
inline double central_difference(double& value, const std::function<double()>& loss) {
  constexpr double kStep = 1e-4;
  const double centre = value;
  const auto at = [&](double steps) {
    value = centre + steps * kStep;
    return loss();
  };
  const double near = at(1) - at(-1);
  const double far = at(2) - at(-2);
  value = centre;
  return (8 * near - far) / (12 * kStep);
}

/// Requires `gradient` to be the derivative of `loss`, which reads `values`: with a
/// relative error of 1e-6 for each element, or of 1e-8 of the largest element.
inline void check_gradient(std::vector<double>& values, const std::vector<double>& gradient,
                           const std::function<double()>& loss) {
  REQUIRE(values.size() == gradient.size());
  double largest = 0;
  for (double element : gradient) largest = std::max(largest, std::abs(element));
  REQUIRE(largest > 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double difference = central_difference(values[i], loss);
    CAPTURE(i, gradient[i], difference);
    REQUIRE(std::abs(gradient[i] - difference) <=
            1e-6 * std::max(std::abs(difference), 1e-2 * largest));
  }
}

}  // namespace awend::reference
