// Writing JSON: strings, numbers, lists and objects, in the spacing that each output has.  The
// module store parses JSON.  Test: tests/unit/base/json_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/concat.hpp"

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
/// With a line for each member.
inline constexpr JsonStyle kObjectOfLines = {"{\n  ", ",\n  ", ": ", "\n}"};
inline constexpr JsonStyle kListOfLines = {"[\n  ", ",\n  ", "", "\n]"};

/// A list of values, each of which `json` turns into JSON.
template <class Values, class Json>
std::string json_list(const Values& values, Json json, const JsonStyle& style = kCompactList) {
  std::string list(style.open);
  bool first = true;
  for (const auto& value : values) {
    if (!first) list += style.separator;
    first = false;
    list += json(value);
  }
  return list += style.close;
}

/// A list of numbers, or of texts that are JSON.
template <class Values>
std::string json_values(const Values& values, const JsonStyle& style = kCompactList) {
  return json_list(
      values, [](const auto& value) { return concat(value); }, style);
}

/// An object, whose members are written in the order of the calls.
class JsonObject {
 public:
  explicit JsonObject(const JsonStyle& style = {}) : style_(style) {}
  JsonObject& text(std::string_view name, std::string_view value);
  JsonObject& number(std::string_view name, double value);
  JsonObject& count(std::string_view name, std::uint64_t value);
  JsonObject& flag(std::string_view name, bool value);
  /// A value that is JSON.
  JsonObject& value(std::string_view name, std::string_view json);
  /// "{}" in any style if there are no members.
  std::string str() const;

 private:
  JsonStyle style_;
  std::string members_;
};

}  // namespace awend::base
