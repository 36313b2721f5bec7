// Text as JSON writes it.  Reading JSON is store's.  Test: tests/unit/base/json_string_test.cpp.
#pragma once

#include <string>
#include <string_view>

namespace awend::base {

/// The text in quotes; UTF-8 as it is.
std::string json_string(std::string_view text);

}  // namespace awend::base
