// Writing JSON: strings, numbers, lists and objects, in the spacing that each output has.  The
// module store parses JSON.  Test: tests/unit/base/json_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace awend::base {

/// The text in quotes.  Control characters are escaped, invalid UTF-8 is replaced with U+FFFD, and
/// all other characters are written as they are.
std::string json_string(std::string_view text);

/// The shortest form that reads back as the number; null if it is not finite.
std::string json_number(double number);

/// What an object or a list writes around its members.
struct JsonStyle {
  std::string_view open = "{";
  std::string_view separator = ",";
  std::string_view colon = ":";
  std::string_view close = "}";
};

inline constexpr JsonStyle kCompactList = {.open = "[", .close = "]"};
/// On one line, with a space after commas and colons.
inline constexpr JsonStyle kSpacedObject = {.separator = ", ", .colon = ": "};
inline constexpr JsonStyle kSpacedList = {.open = "[", .separator = ", ", .close = "]"};

/// A list of values that are JSON.
std::string json_list(std::span<const std::string> values, const JsonStyle& style = kCompactList);

/// An object, whose members are written in the order of the calls.
class JsonObject {
 public:
  explicit JsonObject(const JsonStyle& style = {}) : style_(style) {}
  JsonObject& text(std::string_view name, std::string_view value);
  JsonObject& number(std::string_view name, double value);
  JsonObject& count(std::string_view name, std::uint64_t value);
  /// A value that is JSON.
  JsonObject& value(std::string_view name, std::string_view json);
  /// "{}" in any style if there are no members.
  std::string str() const;

 private:
  JsonStyle style_;
  std::string members_;
};

}  // namespace awend::base
