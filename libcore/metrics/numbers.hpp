// Numbers as text, the same in every locale.  Test: tests/unit/metrics/numbers_test.cpp.
#pragma once

#include <string>

namespace awend::metrics {

/// Exactly so many digits behind the dot, rounded as printf rounds.
std::string fixed(double number, int digits);

/// The shortest text that reads back as the number, as Python and JSON write it: 29.0, 0.0001,
/// 1e-05.
std::string shortest(double number);

/// The number rounded to so many digits.
double rounded(double number, int digits);

}  // namespace awend::metrics
