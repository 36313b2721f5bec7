// The wrapper of nlohmann/json, only for the .cpp files of this module.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace awend::store {

/// Parses a JSON text.  Throws Error if it is not JSON, is not UTF-8, or has a duplicate key in an
/// object.
nlohmann::json parse_json(std::string_view text);

/// The shortest text of a JSON value.  Throws Error if a string in it is not UTF-8.
std::string print_json(const nlohmann::ordered_json& value);

}  // namespace awend::store
