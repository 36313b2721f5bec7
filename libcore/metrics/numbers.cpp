#include "metrics/numbers.hpp"

#include <charconv>
#include <cmath>

#include "base/error.hpp"
#include "base/numbers.hpp"

namespace awend::metrics {
namespace {

constexpr std::size_t kLongest = 512;  // the largest double has 309 digits before the point

template <class... Format>
std::string text_of(double number, Format... format) {
  char text[kLongest];
  const auto [end, error] = std::to_chars(text, text + sizeof text, number, format...);
  base::check(error == std::errc(), "the number fits its text");
  return {text, end};
}

}  // namespace

std::string shortest(double number) {
  if (!std::isfinite(number)) return text_of(number);
  const auto size = std::abs(number);
  if (size != 0 && (size < 1e-4 || size >= 1e16))
    return text_of(number, std::chars_format::scientific);
  auto text = text_of(number, std::chars_format::fixed);
  if (text.find('.') == std::string::npos) text += ".0";
  return text;
}

std::string json_number(double number) {
  return std::isfinite(number) ? shortest(number) : "null";
}

double rounded(double number, int digits) {
  return base::to_number<double>(fixed(number, digits), "a number");
}

}  // namespace awend::metrics
