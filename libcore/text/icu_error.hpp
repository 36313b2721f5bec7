// Errors of ICU: their descriptions, instead of its names such as U_REGEX_MISMATCHED_PAREN, and
// text that is too long for it.  Test: tests/unit/text/subword_nmt/glossaries_test.cpp,
// tests/unit/text/icu_error_test.cpp.
#pragma once

#include <unicode/utypes.h>

#include <string>
#include <string_view>

namespace awend::text {

/// Throws Error if the line has more bytes than ICU counts.
void require_icu_size(std::string_view line);

/// "a parenthesis has no partner"; the number of an unexpected error.
std::string icu_reason(UErrorCode error);

}  // namespace awend::text
