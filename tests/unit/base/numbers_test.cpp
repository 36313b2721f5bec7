// Strict parsing of numbers.
#include "base/numbers.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::base;
using awend::tests::message_of;

TEST_CASE("a whole text is one number", "[numbers]") {
  CHECK(find_number<std::uint64_t>("18446744073709551615") == 18446744073709551615u);
  CHECK(find_number<int>("-12") == -12);
  CHECK(find_number<double>("1e-05") == 1e-05);
  CHECK(find_number<double>(".5") == 0.5);
  CHECK(find_number<double>("-inf") == -INFINITY);
  CHECK(std::isnan(find_number<double>("nan").value()));
}

TEST_CASE("spaces, signs and trailing characters are refused", "[numbers]") {
  for (const char* text : {"", " 1", "1 ", "+1", "1x", "0x1", "1,5", "-", "--1", "1\n"}) {
    CAPTURE(text);
    CHECK(find_number<int>(text) == std::nullopt);
    CHECK(find_number<double>(text) == std::nullopt);
  }
  CHECK(find_number<std::uint32_t>("-1") == std::nullopt);
  CHECK(find_number<int>("1.5") == std::nullopt);
  CHECK(find_number<int>(std::string_view("1\0", 2)) == std::nullopt);
}

TEST_CASE("a number that the type cannot represent differs from other text", "[numbers]") {
  std::uint32_t id = 0;
  CHECK(parse_number("4294967295", id) == std::errc());
  CHECK(id == 4294967295u);
  CHECK(parse_number("4294967296", id) == std::errc::result_out_of_range);
  CHECK(parse_number("4294967296x", id) == std::errc::invalid_argument);
  double number = 0;
  CHECK(parse_number("1e999", number) == std::errc::result_out_of_range);
}

TEST_CASE("bytes in hexadecimal", "[numbers]") {
  CHECK(find_hexadecimal_byte("1F") == 0x1F);
  CHECK(find_hexadecimal_byte("ff") == 0xFF);
  for (const char* text : {"", "G0", "1G", "100", "0x", "-1", " 1"}) {
    CAPTURE(text);
    CHECK(find_hexadecimal_byte(text) == std::nullopt);
  }
}

TEST_CASE("messages state the kind and the range", "[numbers]") {
  CHECK(message_of([] { to_number<std::uint32_t>("x", "an id"); }) == "'x' is not an id");
  CHECK(to_number<int>("9", "an integer", {.min = 1, .max = 9}) == 9);
  const auto message = [](std::string_view text, RealRange range) {
    return message_of([&] { to_number<double>(text, "a number", range); });
  };
  CHECK(message("0", {.min = 1}) == "must be at least 1, got 0");
  CHECK(message("2", {.max = 1}) == "must be at most 1, got 2");
  CHECK(message("2.50", {0, 1}) == "must be in [0, 1], got 2.50");
  CHECK(message("inf", {}) == "must be finite, got inf");
  CHECK(message("nan", {}) == "'nan' is not a number");
}

TEST_CASE("division rounds up without overflow", "[numbers]") {
  CHECK(divide_up(0u, 4) == 0);
  CHECK(divide_up(8u, 4) == 2);
  CHECK(divide_up(9u, 4) == 3);
  CHECK(divide_up(0xFFFFFFFFu, 2) == 0x80000000u);
  static_assert(divide_up(std::uint64_t{1} << 40, 3) == 366503875926u);
}

}  // namespace
