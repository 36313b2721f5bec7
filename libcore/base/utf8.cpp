#include "base/utf8.hpp"

#include <algorithm>
#include <cstring>

namespace awend::base {
namespace {

// The length that a lead byte announces, and the range of the second byte, which excludes overlong
// forms, surrogates and code points above U+10FFFF (Unicode, table 3-7).
struct Lead {
  std::size_t size_bytes;
  unsigned char second_min, second_max;
};

Lead lead(unsigned char byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte >= 0xC2 && byte <= 0xDF) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte >= 0xF1 && byte <= 0xF3) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

// Most text is ASCII: eight bytes per iteration.
std::size_t skip_ascii(std::string_view text, std::size_t position) {
  while (position + 8 <= text.size()) {
    std::uint64_t eight;
    std::memcpy(&eight, text.data() + position, 8);
    if (eight & 0x8080808080808080U) break;
    position += 8;
  }
  return position;
}

}  // namespace

Utf8Step utf8_step(std::string_view text, std::size_t position) {
  if (position >= text.size()) return {0, 0, true};
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[position + i]); };
  const Lead promise = lead(byte(0));
  if (promise.size_bytes == 0) return {0xFFFD, 1, false};
  if (promise.size_bytes == 1) return {byte(0), 1, true};
  char32_t code_point = byte(0) & (0x7F >> promise.size_bytes);
  for (std::size_t i = 1; i < promise.size_bytes; ++i) {
    const unsigned char low = i == 1 ? promise.second_min : 0x80;
    const unsigned char high = i == 1 ? promise.second_max : 0xBF;
    if (position + i >= text.size() || byte(i) < low || byte(i) > high) return {0xFFFD, i, false};
    code_point = code_point << 6 | (byte(i) & 0x3F);
  }
  return {code_point, promise.size_bytes, true};
}

std::size_t count_characters(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, is_utf8_tail));
}

std::size_t find_invalid_utf8(std::string_view text) {
  std::size_t position = 0;
  while ((position = skip_ascii(text, position)) < text.size()) {
    const Utf8Step step = utf8_step(text, position);
    if (!step.valid) return position;
    position += step.size_bytes;
  }
  return std::string_view::npos;
}

std::size_t append_valid_utf8(std::string& out, std::string_view text) {
  std::size_t replaced = 0;
  while (!text.empty()) {
    const std::size_t valid_bytes = find_invalid_utf8(text);
    out += text.substr(0, valid_bytes);
    if (valid_bytes == std::string_view::npos) break;
    out += "\xEF\xBF\xBD";
    ++replaced;
    text.remove_prefix(valid_bytes + utf8_step(text, valid_bytes).size_bytes);
  }
  return replaced;
}

void append_code_point(std::string& out, char32_t code_point) {
  auto tail = [&](int shift) { out += static_cast<char>(0x80 | (code_point >> shift & 0x3F)); };
  if (code_point < 0x80) {
    out += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    out += static_cast<char>(0xC0 | code_point >> 6);
    tail(0);
  } else if (code_point < 0x10000) {
    out += static_cast<char>(0xE0 | code_point >> 12);
    tail(6), tail(0);
  } else {
    out += static_cast<char>(0xF0 | code_point >> 18);
    tail(12), tail(6), tail(0);
  }
}

}  // namespace awend::base
