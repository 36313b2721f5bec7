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

std::map<std::string, std::string, std::less<>> json_members(std::string_view json) {
  const auto root = parse_json(json);
  if (!root.is_object()) base::fail("not a JSON object");
  std::map<std::string, std::string, std::less<>> members;
  for (const auto& [name, value] : root.items())
    members.emplace(name, value.is_string() ? value.get<std::string>() : value.dump());
  return members;
}

std::vector<std::string> json_elements(std::string_view json) {
  const auto root = parse_json(json);
  if (!root.is_array()) base::fail("not a JSON list");
  std::vector<std::string> elements;
  for (const auto& value : root)
    elements.push_back(value.is_string() ? value.get<std::string>() : value.dump());
  return elements;
}

std::vector<std::string> json_texts(std::string_view json) {
  const auto root = parse_json(json);
  if (!root.is_array()) base::fail("not a JSON list");
  std::vector<std::string> texts;
  for (const auto& value : root) {
    if (!value.is_string()) base::fail("element ", texts.size(), " of the list is not a text");
    texts.push_back(value.get<std::string>());
  }
  return texts;
}

}  // namespace awend::store
