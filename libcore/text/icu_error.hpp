// What went wrong within ICU, in words; its own names (U_REGEX_MISMATCHED_PAREN) help nobody.
// Test: tests/unit/text/glossaries_test.cpp, tests/unit/text/icu_error_test.cpp.
#pragma once

#include <unicode/utypes.h>

#include <string>

namespace awend::text {

/// "a parenthesis has no partner"; of an error that is not expected, its number.
std::string icu_reason(UErrorCode error);

}  // namespace awend::text
