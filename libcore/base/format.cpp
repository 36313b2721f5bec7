#include "base/format.hpp"

#include <algorithm>
#include <charconv>

#include "base/error.hpp"

namespace awend::base {
namespace {

std::string two_digits(std::uint64_t number) {
  return concat(number < 10 ? "0" : "", number);
}

}  // namespace

std::string fixed(double number, int digits) {
  char text[512];  // the largest double has 309 digits before the point
  const auto [end, error] =
      std::to_chars(text, text + sizeof text, number, std::chars_format::fixed, digits);
  check(error == std::errc(), "the number fits its text");
  return {text, end};
}

std::string significant(double number, int digits) {
  char text[64];
  const auto [end, error] =
      std::to_chars(text, text + sizeof text, number, std::chars_format::general, digits);
  check(error == std::errc(), "the number fits its text");
  return {text, end};
}

std::string percent(double part, double all) {
  return fixed(all > 0 ? 100 * part / all : 0, 1) + " %";
}

std::string clock_text(double seconds, ClockStyle style) {
  const auto all = static_cast<std::uint64_t>(std::clamp(seconds, 0.0, 1e12));
  const auto hours = all / 3600, minutes = all / 60 % 60;
  if (hours == 0 && style == ClockStyle::kShort) return concat(minutes, ":", two_digits(all % 60));
  return concat(hours, ":", two_digits(minutes), ":", two_digits(all % 60));
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  while (true) {
    const auto place = text.find(from);
    out += text.substr(0, place);
    if (place == std::string_view::npos) return out;
    out += to;
    text.remove_prefix(place + from.size());
  }
}

}  // namespace awend::base
