// UTF-8 as defined by Unicode: no surrogates, nothing above U+10FFFF, no overlong forms.
//
// Test: tests/unit/base/utf8_test.cpp, with the byte strings of $AWEND_CONFORMANCE/unicode if
// available.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace awend::base {

/// One decoded character.
struct Utf8Step {
  char32_t code_point;  // U+FFFD if the bytes are invalid
  std::size_t
      size_bytes;  // of the character, or of the maximal subpart that is invalid; 0 at the end
  bool valid;
};

/// Reads the character at `text[position]`.
Utf8Step utf8_step(std::string_view text, std::size_t position);

/// True for the second and later bytes of a character.
inline bool is_utf8_tail(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

/// The number of characters of valid text.
std::size_t count_characters(std::string_view text);

/// The position of the first byte that does not belong to a character, or std::string_view::npos.
std::size_t find_invalid_utf8(std::string_view text);

/// Appends `text` with U+FFFD for each maximal subpart that is invalid; returns the number of
/// replacements.
std::size_t append_valid_utf8(std::string& out, std::string_view text);

/// Appends one character.
void append_code_point(std::string& out, char32_t code_point);

}  // namespace awend::base
