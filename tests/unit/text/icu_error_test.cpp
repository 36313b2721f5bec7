// Reasons in words.
#include "text/icu_error.hpp"

#include "tests/catch.hpp"

namespace {

using awend::text::icu_reason;

TEST_CASE("every error of regular expressions has words, others their number") {
  CHECK(icu_reason(U_REGEX_MISSING_CLOSE_BRACKET) == "a set in brackets is not closed");
  CHECK(icu_reason(U_INTERNAL_PROGRAM_ERROR) == "ICU's error 5");
  // Internal errors, and those of calls that are not made.
  const UErrorCode unused[] = {U_REGEX_INTERNAL_ERROR, U_REGEX_INVALID_STATE,
                               U_REGEX_STOPPED_BY_CALLER};
  for (int code = U_REGEX_ERROR_START; code <= U_REGEX_INVALID_CAPTURE_GROUP_NAME; ++code) {
    const auto error = static_cast<UErrorCode>(code);
    const bool expected =
        std::find(std::begin(unused), std::end(unused), error) == std::end(unused);
    INFO(code);
    // U_REGEX_OCTAL_TOO_BIG is no longer used by ICU.
    if (error != U_REGEX_OCTAL_TOO_BIG) CHECK((icu_reason(error)[0] == 'I') != expected);
  }
}

}  // namespace
