// Regular expressions of Python's `re` for ICU to run.  Test:
// tests/unit/text/subword_nmt/glossaries_test.cpp.
#pragma once

#include <string>
#include <string_view>

namespace awend::text {

/// A regular expression of Python's `re` in the syntax of ICU: \w \d \s \b have Python's meaning,
/// and characters that are special only for ICU are escaped.  The result may be invalid.
std::string icu_pattern(std::string_view python);

}  // namespace awend::text
