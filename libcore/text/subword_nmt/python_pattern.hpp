// Regular expressions of Python's `re` for ICU to run.  Test: tests/unit/text/glossaries_test.cpp.
#pragma once

#include <string>
#include <string_view>

namespace awend::text {

/// A regular expression of Python's `re` as ICU writes it: \w \d \s \b have Python's meaning, and
/// what only ICU takes for syntax is escaped.  It need not be valid.
std::string icu_pattern(std::string_view python);

}  // namespace awend::text
