// Numbers as text, the same in every locale.  Test: tests/unit/metrics/numbers_test.cpp.
#pragma once

#include <string>

#include "base/format.hpp"

namespace awend::metrics {

using base::fixed;

/// The shortest text that reads back as the number, as Python writes it: 29.0, 0.0001, 1e-05.
std::string shortest(double number);

/// As shortest(), but null for a number that JSON does not have.
std::string json_number(double number);

/// The number rounded to this many decimal places.
double rounded(double number, int digits);

}  // namespace awend::metrics
