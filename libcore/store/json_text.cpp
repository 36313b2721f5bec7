#include "store/json_text.hpp"

#include <nlohmann/json.hpp>

#include "store/json.hpp"

namespace awend::store {

std::string json_text(std::string_view text) {
  return print_json(std::string(text));
}

}  // namespace awend::store
