// concat(…): texts and numbers concatenated into one string, the same in every locale.
#pragma once

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

namespace awend::base {

inline void append(std::string& out, std::string_view text) {
  out += text;
}
inline void append(std::string& out, char character) {
  out += character;
}

template <class Number>
requires((std::integral<Number> && !std::same_as<Number, char> && !std::same_as<Number, bool>) ||
         std::floating_point<Number>) void append(std::string& out, Number number) {
  char digits[64];
  auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  out.append(digits, end);
}

template <class... Parts>
std::string concat(const Parts&... parts) {
  std::string out;
  (append(out, parts), ...);
  return out;
}

}  // namespace awend::base
