// What Unicode says of a character, by general category.  ICU stays behind characters.cpp.
// Test: tests/unit/text/words_test.cpp.
#pragma once

namespace awend::text {

bool is_digit(char32_t character);      // Nd
bool is_separator(char32_t character);  // Z
bool is_control(char32_t character);    // Cc

}  // namespace awend::text
