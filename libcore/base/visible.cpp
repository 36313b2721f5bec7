#include "base/visible.hpp"

#include "base/utf8.hpp"

namespace awend::base {
namespace {

bool is_visible(char32_t character) {
  if (character < 0x20 || character == 0x7F) return character == '\t';
  const bool is_control = character >= 0x80 && character < 0xA0;
  const bool reverses =
      (character >= 0x202A && character <= 0x202E) || (character >= 0x2066 && character <= 0x2069);
  return !is_control && !reverses;
}

}  // namespace

std::string visible(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Step step = utf8_step(text, at);
    const std::string_view character = text.substr(at, step.size_bytes);
    at += step.size_bytes;
    if (!step.valid || is_visible(step.code_point)) {
      out += character;
      continue;
    }
    for (const char c : character) {
      const auto byte = static_cast<unsigned char>(c);
      out += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return out;
}

}  // namespace awend::base
