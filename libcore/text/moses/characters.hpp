// The character classes of Moses' rules, and steps through UTF-8 in both directions.
//
// They are Perl's: "alphanumeric" is Alphabetic or Nd, so the vowel signs of Hindi that are not
// Alphabetic (the virama) are symbols.  Only characters.cpp uses ICU.  Test:
// tests/unit/text/moses/moses_test.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/utf8.hpp"

namespace awend::text::moses {

/// Classes can be combined with |.
enum Class : std::uint16_t {
  kSpace = 1,     // White_Space
  kLetter = 2,    // Alphabetic
  kDecimal = 4,   // Nd
  kNumber = 8,    // N
  kLower = 16,    // Lowercase
  kLowerLl = 32,  // Ll, which is smaller than Lowercase
  kCurrency = 64,
  kOtherSymbol = 128,
  kPunctuation = 256,  // P, and the symbols of ASCII
  kDots = 512,         // the mark for dots
  kAlphanumeric = kLetter | kDecimal,
};

/// Two control characters mark text that is set aside while a line is processed; control characters
/// of the line itself are deleted first.  A dot in a run of dots is marked where Moses writes
/// capital letters, and rules about letters treat it as a letter.
inline constexpr char kDotMark = '\x01';
inline constexpr char kProtectedMark = '\x02';

constexpr std::array<std::uint16_t, 128> ascii_classes() {
  std::array<std::uint16_t, 128> classes{};
  for (unsigned c = '\t'; c <= '\r'; ++c) classes[c] = kSpace;
  classes[' '] = kSpace;
  for (unsigned c = '!'; c <= '~'; ++c) classes[c] = kPunctuation;
  classes['$'] |= kCurrency;
  for (unsigned c = '0'; c <= '9'; ++c) classes[c] = kDecimal | kNumber;
  for (unsigned c = 'A'; c <= 'Z'; ++c) classes[c] = kLetter;
  for (unsigned c = 'a'; c <= 'z'; ++c) classes[c] = kLetter | kLower | kLowerLl;
  classes[static_cast<unsigned>(kDotMark)] = kDots;
  return classes;
}
inline constexpr auto kAsciiClasses = ascii_classes();

/// `is` for characters beyond ASCII.
bool is_beyond_ascii(char32_t character, unsigned classes);

/// True for a character of any of the classes.
inline bool is(char32_t character, unsigned classes) {
  if (character < 128) return (kAsciiClasses[character] & classes) != 0;
  return is_beyond_ascii(character, classes);
}

inline bool is_number(char32_t character) {
  return is(character, kNumber);
}
inline bool is_not_number(char32_t character) {
  return !is(character, kNumber);
}

/// Chinese, Japanese or Korean, as defined by Moses' detokenizer.
bool is_cjk(char32_t character);

/// The character at `position`, which must not be the end.
inline base::Utf8Step step_at(std::string_view text, std::size_t position) {
  const auto byte = static_cast<unsigned char>(text[position]);
  return byte < 128 ? base::Utf8Step{byte, 1, true} : base::utf8_step(text, position);
}

/// The position of the character before `position`.  Requires: position > 0, valid UTF-8.
inline std::size_t begin_before(std::string_view text, std::size_t position) {
  do --position;
  while (position > 0 && (static_cast<unsigned char>(text[position]) & 0xC0) == 0x80);
  return position;
}

}  // namespace awend::text::moses
