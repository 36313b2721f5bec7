// What Unicode says of a character.  ICU stays behind characters.cpp; what is asked for every
// character of a text is kept in a table for the first scripts: Latin, Greek, Cyrillic, Armenian.
// Test: tests/unit/text/words_test.cpp, tests/unit/text/normalize_test.cpp.
#pragma once

#include <array>
#include <cstdint>

namespace awend::text {

bool is_digit(char32_t character);        // Nd
bool is_separator(char32_t character);    // Z
bool is_control(char32_t character);      // Cc
bool is_number(char32_t character);       // N
bool is_punctuation(char32_t character);  // P
bool is_symbol(char32_t character);       // S

/// What is kept in the table.
struct CharacterFacts {
  bool nfc_inert = false;   // in text of such characters alone, NFC changes nothing
  bool nfkc_inert = false;  // likewise NFKC
};

inline constexpr char32_t kFirstWithoutFacts = 0x590;

/// Facts about the characters below kFirstWithoutFacts.
const std::array<CharacterFacts, kFirstWithoutFacts>& character_facts();

}  // namespace awend::text
