#include "store/json_text.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "store/json.hpp"

namespace awend::store {

std::string json_text(std::string_view text) {
  return print_json(std::string(text));
}

std::string json_number(double number) {
  return std::isfinite(number) ? base::concat(number) : "null";
}

std::string json_list(const std::vector<std::string>& values) {
  std::string out = "[";
  for (const auto& value : values) out += base::concat(out.size() > 1 ? "," : "", value);
  return out + "]";
}

JsonObject& JsonObject::value(std::string_view name, std::string_view json) {
  members_ += base::concat(members_.empty() ? "{" : ",", json_text(name), ":", json);
  return *this;
}

JsonObject& JsonObject::text(std::string_view name, std::string_view value) {
  return this->value(name, json_text(value));
}

JsonObject& JsonObject::number(std::string_view name, double value) {
  return this->value(name, json_number(value));
}

JsonObject& JsonObject::count(std::string_view name, std::uint64_t value) {
  return this->value(name, base::concat(value));
}

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
