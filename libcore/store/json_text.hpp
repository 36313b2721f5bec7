// One string of a JSON text, for callers that need no JSON library.  base/json.hpp writes JSON.
// Test: tests/unit/store/json_text_test.cpp.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace awend::store {

/// The string at the end of a path of members: "text" for {"a":{"b":"text"}} and {"a", "b"}.
/// Nothing if the path does not exist or does not end in a string, or if the input is not JSON.
std::optional<std::string> json_text_at(std::string_view json,
                                        std::initializer_list<std::string_view> path);

}  // namespace awend::store
