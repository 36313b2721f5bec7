// Lowercase by Unicode's full rules, independent of language: final sigma is handled, the Turkish
// dotless i is not.
//
// Test: tests/unit/text/case_test.cpp.
#pragma once

#include <string>
#include <string_view>

namespace awend::text {

/// The text in lowercase.  It is mapped as a whole, because the form of a letter can depend on its
/// neighbors.
std::string lower_case(std::string_view utf8);

/// Character by character: the form of a letter does not depend on its neighbors.
std::string lower_characters(std::string_view utf8);

}  // namespace awend::text
