#include "metrics/numbers.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace {

using namespace awend::metrics;

TEST_CASE("digits are rounded as printf rounds") {
  CHECK(fixed(0.25, 1) == "0.2");
  CHECK(fixed(0.35, 1) == "0.3");  // the double nearest to 0.35 is below it
  CHECK(fixed(99.95, 0) == "100");
  CHECK(fixed(28.802501987, 4) == "28.8025");
}

TEST_CASE("the shortest text is Python's") {
  CHECK(shortest(29) == "29.0");
  CHECK(shortest(0) == "0.0");
  CHECK(shortest(0.41858141858141856) == "0.41858141858141856");
  CHECK(shortest(0.0001) == "0.0001");
  CHECK(shortest(0.00001) == "1e-05");
  CHECK(shortest(1e16) == "1e+16");
  CHECK(shortest(123456789012345) == "123456789012345.0");
  CHECK(shortest(-INFINITY) == "-inf");
  CHECK(shortest(NAN) == "nan");
}

TEST_CASE("JSON has no infinity") {
  CHECK(json_number(29) == "29.0");
  CHECK(json_number(INFINITY) == "null");
  CHECK(json_number(NAN) == "null");
}

TEST_CASE("rounding gives a number that prints short") {
  CHECK(shortest(rounded(28.802501987, 1)) == "28.8");
  CHECK(shortest(rounded(100.00000000000004, 4)) == "100.0");
  CHECK(shortest(rounded(28.8, 0)) == "29.0");
}

}  // namespace
