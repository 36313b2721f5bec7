// The wrapper of nlohmann/json, only for the .cpp files of this module, which write by
// base/json.hpp.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace awend::store {

/// Parses a JSON text.  Throws Error if it is not JSON, is not UTF-8, or has a duplicate key in an
/// object.
nlohmann::json parse_json(std::string_view text);

/// The text, to be written as JSON.  Throws Error if it is not UTF-8.
std::string_view valid_utf8(std::string_view text);

}  // namespace awend::store
