// Lower case, by Unicode's full rules and no language's: final sigma counts, the dot of a Turkish i
// does not.
//
// Test: tests/unit/text/case_test.cpp.
#pragma once

#include <string>
#include <string_view>

namespace awend::text {

/// The text in lower case.  It is mapped as a whole, because a letter's form can depend on its
/// neighbours.
std::string lower_case(std::string_view utf8);

}  // namespace awend::text
