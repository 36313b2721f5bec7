// concat(…): texts and numbers concatenated into one string, the same in every locale.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace awend::base {

inline void append(std::string& out, std::string_view text) {
  out += text;
}
inline void append(std::string& out, char character) {
  out += character;
}

/// In decimal; of real numbers, the shortest text that reads back as the same number.
void append_number(std::string& out, std::int64_t number);
void append_number(std::string& out, std::uint64_t number);
void append_number(std::string& out, float number);
void append_number(std::string& out, double number);

template <class T>
concept Number = (std::integral<T> && !std::same_as<T, char> && !std::same_as<T, bool>) ||
                 std::same_as<T, float> || std::same_as<T, double>;

template <Number Value>
void append(std::string& out, Value number) {
  if constexpr (std::floating_point<Value>) {
    append_number(out, number);
  } else if constexpr (std::signed_integral<Value>) {
    append_number(out, std::int64_t{number});
  } else {
    append_number(out, std::uint64_t{number});
  }
}

template <class... Parts>
std::string concat(const Parts&... parts) {
  std::string out;
  (append(out, parts), ...);
  return out;
}

}  // namespace awend::base
