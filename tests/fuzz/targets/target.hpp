// A fuzz target: one parser, whose input libFuzzer mutates.  Each file of this directory defines
// both functions for one parser and is linked with driver.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace awend::tests {

/// Valid inputs, where the mutations start.
std::vector<std::string> seeds();

/// Parses the input and uses what it got.  May throw base::Error; any other exception, a failed
/// check of a sanitizer, too much memory or too much time is a finding.
void fuzz(std::string_view input);

}  // namespace awend::tests
