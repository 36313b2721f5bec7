// What Unicode says of a character, by general category, and lower case.  ICU stays behind
// characters.cpp.
#pragma once

#include <string>
#include <string_view>

namespace awend::text {

bool is_letter(char32_t character);       // L
bool is_number(char32_t character);       // N
bool is_digit(char32_t character);        // Nd
bool is_punctuation(char32_t character);  // P
bool is_symbol(char32_t character);       // S
bool is_separator(char32_t character);    // Z
bool is_control(char32_t character);      // Cc

/// Full lower-casing by the root locale, with final sigma: what Python's str.lower() gives.
std::string lower(std::string_view text);

}  // namespace awend::text
