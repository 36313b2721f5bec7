// Descriptions of ICU errors, instead of its names such as U_REGEX_MISMATCHED_PAREN. Test:
// tests/unit/text/subword_nmt/glossaries_test.cpp, tests/unit/text/icu_error_test.cpp.
#pragma once

#include <unicode/utypes.h>

#include <string>

namespace awend::text {

/// "a parenthesis has no partner"; the number of an unexpected error.
std::string icu_reason(UErrorCode error);

}  // namespace awend::text
