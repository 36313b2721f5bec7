// The largest difference between numbers.
#pragma once

#include <cmath>

namespace awend::tests {

/// The larger one, or NaN if one of them is NaN, which fails every CHECK of a bound; std::max
/// may drop it.
inline double larger(double a, double b) {
  return std::isnan(a) || a >= b ? a : b;
}

}  // namespace awend::tests
