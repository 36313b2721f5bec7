#include "text/base64.hpp"

#include <cstdint>

namespace awend::text {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string base64(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view group = bytes.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8 | (j < group.size() ? static_cast<unsigned char>(group[j]) : 0);
    for (std::size_t j = 0; j < 4; ++j)
      text += j <= group.size() ? kDigits[bits >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

bool append_base64(std::string_view text, std::string& bytes) {
  if (text.empty() || text.size() % 4 != 0) return false;
  std::size_t padding = 0;
  while (padding < 2 && text.ends_with('=')) {
    text.remove_suffix(1);
    ++padding;
  }
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const std::string_view group = text.substr(i, 4);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      const std::size_t digit = j < group.size() ? kDigits.find(group[j]) : 0;
      if (digit == std::string_view::npos) return false;
      bits = bits << 6 | static_cast<std::uint32_t>(digit);
    }
    for (std::size_t j = 0; j + 1 < group.size(); ++j)
      bytes += static_cast<char>(bits >> (16 - 8 * j));
  }
  return true;
}

}  // namespace awend::text
