#include "base/json_string.hpp"

#include "base/concat.hpp"

namespace awend::base {

std::string json_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr char kDigits[] = "0123456789abcdef";
      quoted += concat("\\u00", kDigits[c >> 4], kDigits[c & 15]);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace awend::base
