// Unicode properties of characters.  Only characters.cpp uses ICU.  Properties that are needed
// for every character of a text are in a table for the first scripts: Latin, Greek, Cyrillic,
// Armenian. Test: tests/unit/text/words_test.cpp, tests/unit/text/normalize_test.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace awend::text {

bool is_digit(char32_t character);        // Nd
bool is_separator(char32_t character);    // Z
bool is_control(char32_t character);      // Cc
bool is_format(char32_t character);       // Cf
bool is_number(char32_t character);       // N
bool is_punctuation(char32_t character);  // P
bool is_symbol(char32_t character);       // S
bool is_mark(char32_t character);         // M
bool is_private_use(char32_t character);  // Co
bool is_latin_letter(char32_t character);

/// Whether Unicode has had the character since version 8, of 2015, or before.
bool is_in_unicode_8(char32_t character);

/// The columns of a terminal that a text takes: two for each wide character of East Asia, none for
/// marks and format characters.
std::size_t count_columns(std::string_view utf8);

/// The properties in the table.
struct CharacterFacts {
  bool nfc_inert = false;   // NFC does not change text that consists of such characters
  bool nfkc_inert = false;  // likewise NFKC
};

inline constexpr char32_t kFirstWithoutFacts = 0x590;

/// The properties of the characters below kFirstWithoutFacts.
const std::array<CharacterFacts, kFirstWithoutFacts>& character_facts();

}  // namespace awend::text
