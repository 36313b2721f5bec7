#include "store/json_text.hpp"

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "store/json.hpp"

namespace awend::store {

std::optional<std::string> json_text_at(std::string_view json,
                                        std::initializer_list<std::string_view> path) {
  try {
    const auto root = parse_json(json);
    const auto* place = &root;
    for (const auto name : path) {
      if (!place->is_object()) return std::nullopt;
      const auto member = place->find(std::string(name));
      if (member == place->end()) return std::nullopt;
      place = &*member;
    }
    if (!place->is_string()) return std::nullopt;
    return place->get<std::string>();
  } catch (const base::Error&) {
    return std::nullopt;
  }
}

}  // namespace awend::store
