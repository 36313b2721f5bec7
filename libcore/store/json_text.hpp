// Parts of a JSON text as plain text, for callers that need no JSON library.  base/json.hpp writes
// JSON. Test: tests/unit/store/json_text_test.cpp.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace awend::store {

/// The string at the end of a path of members: "text" for {"a":{"b":"text"}} and {"a", "b"}.
/// Nothing if the path does not exist or does not end in a string, or if the input is not JSON.
std::optional<std::string> json_text_at(std::string_view json,
                                        std::initializer_list<std::string_view> path);

/// The members of an object: texts as they are, any other value as its JSON text.  Throws Error if
/// the input is not a JSON object.
std::map<std::string, std::string, std::less<>> json_members(std::string_view json);

/// The texts of a list.  Throws Error if the input is not a JSON list of texts.
std::vector<std::string> json_texts(std::string_view json);

/// The elements of a list: texts as they are, any other value as its JSON text.  Throws Error if
/// the input is not a JSON list.
std::vector<std::string> json_elements(std::string_view json);

}  // namespace awend::store
