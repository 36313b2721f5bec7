// Numbers and times as text, the same in every locale.  Test: tests/unit/base/format_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/concat.hpp"

namespace awend::base {

/// Exactly `digits` decimal places, rounded as printf rounds.
std::string fixed(double number, int digits);

/// This many significant digits, without zeros at the end: "0.0123", "1.5e-09".
std::string significant(double number, int digits);

/// "12.5 %" for 1 of 8; "0.0 %" of 0.
std::string percent(double part, double all);

enum class ClockStyle { kShort, kWithHours };
/// "5:07" and "1:05:07", or always with hours, "0:05:07".  Fractions of a second are cut off.
std::string clock_text(double seconds, ClockStyle style = ClockStyle::kShort);

/// The parts between separators, views into the text.  A text without any, also an empty one, is
/// one part.
std::vector<std::string_view> split(std::string_view text, char separator);

/// The text with `to` in every place of `from`, which is not empty.
std::string replaced(std::string_view text, std::string_view from, std::string_view to);

/// The items with `separator` between them.
template <class Items>
std::string join(const Items& items, std::string_view separator) {
  std::string text;
  bool is_first = true;
  for (const auto& item : items) {
    if (!is_first) text += separator;
    append(text, item);
    is_first = false;
  }
  return text;
}

}  // namespace awend::base
