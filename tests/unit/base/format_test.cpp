// Numbers and times as text.
#include "base/format.hpp"

#include <vector>

#include "tests/catch.hpp"

namespace awend::base {

TEST_CASE("decimal places", "[format]") {
  CHECK(fixed(2.5, 0) == "2");
  CHECK(fixed(0.125, 2) == "0.12");
  CHECK(fixed(-1, 3) == "-1.000");
  CHECK(fixed(1e300, 1).size() == 303);
  CHECK(percent(1, 8) == "12.5 %");
  CHECK(percent(0, 0) == "0.0 %");
}

TEST_CASE("significant digits", "[format]") {
  CHECK(significant(0.012345, 3) == "0.0123");
  CHECK(significant(-2, 3) == "-2");
  CHECK(significant(1.5e-9, 6) == "1.5e-09");
  CHECK(significant(-1.7976931348623157e308, 17) == "-1.7976931348623157e+308");
}

TEST_CASE("clock times", "[format]") {
  CHECK(clock_text(0) == "0:00");
  CHECK(clock_text(307.9) == "5:07");
  CHECK(clock_text(3907) == "1:05:07");
  CHECK(clock_text(360'000) == "100:00:00");
  CHECK(clock_text(307, ClockStyle::kWithHours) == "0:05:07");
  CHECK(clock_text(-1) == "0:00");
}

TEST_CASE("parts between separators", "[format]") {
  using Parts = std::vector<std::string_view>;
  CHECK(split("", ',') == Parts{""});
  CHECK(split("a", ',') == Parts{"a"});
  CHECK(split(",b,", ',') == Parts{"", "b", ""});
}

TEST_CASE("every place of a text is replaced once") {
  CHECK(replaced("", "a", "b") == "");
  CHECK(replaced("aa", "a", "ab") == "abab");
  CHECK(replaced("xaax", "aa", "") == "xx");
  CHECK(replaced("aaa", "aa", "b") == "ba");
}

TEST_CASE("items with separators", "[format]") {
  CHECK(join(std::vector<std::string>{}, ", ").empty());
  CHECK(join(std::vector<std::string>{"", "b"}, ", ") == ", b");
  CHECK(join(std::vector<float>{0.5f, -1.0f}, " ") == "0.5 -1");
}

}  // namespace awend::base
