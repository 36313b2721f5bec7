// Strict parsing of numbers, the same in every locale: the whole text must be one number, without
// spaces, a plus sign or trailing characters.  concat() writes numbers.
// Test: tests/unit/base/numbers_test.cpp.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "base/error.hpp"

namespace awend::base {

/// Parses an integer in decimal or a real number ("inf" and "nan" included) into `value`.  Returns
/// std::errc() on success, result_out_of_range if `Number` cannot represent the number, and
/// invalid_argument for any other text; `value` is then unspecified.
template <class Number>
std::errc parse_number(std::string_view text, Number& value) {
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return result.ptr == end ? result.ec : std::errc::invalid_argument;
}

/// The number, or nothing if parse_number() fails.
template <class Number>
std::optional<Number> find_number(std::string_view text) {
  Number value{};
  return parse_number(text, value) == std::errc() ? std::optional(value) : std::nullopt;
}

/// The byte that hexadecimal digits denote: "1F" is 31.
inline std::optional<std::uint8_t> find_hexadecimal_byte(std::string_view text) {
  std::uint8_t value = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value, 16);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

/// The number.  Throws Error "'TEXT' is not KIND" if parse_number() fails, KIND being "a number" or
/// "an id".
template <class Number>
Number to_number(std::string_view text, std::string_view kind) {
  const auto value = find_number<Number>(text);
  if (!value) fail("'", text, "' is not ", kind);
  return *value;
}

/// Both bounds are included; the default is every finite number.
template <class Number>
struct Range {
  Number min = std::numeric_limits<Number>::lowest();
  Number max = std::numeric_limits<Number>::max();

  /// False for a number that is not a number.
  bool contains(Number value) const { return value >= min && value <= max; }
};

using IntegerRange = Range<std::int64_t>;
using RealRange = Range<double>;

/// "must be at least 1, got 0", "must be at most 1, got 2", or "must be in [1, 9], got 0".
template <class Number>
std::string range_message(const Range<Number>& range, std::string_view found) {
  constexpr Range<Number> kAll;
  if (range.min == kAll.min && range.max == kAll.max) return concat("must be finite, got ", found);
  if (range.max == kAll.max) return concat("must be at least ", range.min, ", got ", found);
  if (range.min == kAll.min) return concat("must be at most ", range.max, ", got ", found);
  return concat("must be in [", range.min, ", ", range.max, "], got ", found);
}

/// Throws UsageError "NAME: ..." for an argument outside the range.
template <class Number>
void require_in(std::string_view name, const Range<Number>& range,
                std::type_identity_t<Number> value) {
  if (!range.contains(value))
    throw UsageError(concat(name, ": ", range_message(range, concat(value))));
}

/// As above, but not "nan", and with an Error that states the range if the number is outside it.
template <class Number>
Number to_number(std::string_view text, std::string_view kind, const Range<Number>& range) {
  Number value{};
  const auto error = parse_number(text, value);
  if (std::integral<Number> && error == std::errc::result_out_of_range)
    fail("must be in [", range.min, ", ", range.max, "], got ", text);
  if (error != std::errc() || value != value) fail("'", text, "' is not ", kind);
  if (!range.contains(value)) fail(range_message(range, text));
  return value;
}

/// The smallest integer that is at least `dividend` / `divisor`; `divisor` must not be 0.
template <std::unsigned_integral Integer>
constexpr Integer divide_up(Integer dividend, std::type_identity_t<Integer> divisor) {
  return dividend / divisor + (dividend % divisor != 0 ? 1 : 0);
}

}  // namespace awend::base
