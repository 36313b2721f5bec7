#include "store/json.hpp"

#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "base/error.hpp"
#include "base/utf8.hpp"

namespace awend::store {
namespace {

// Valid inputs have at most six levels; each level takes memory.
constexpr int kMaxDepth = 32;

}  // namespace

nlohmann::json parse_json(std::string_view text) {
  using Event = nlohmann::json::parse_event_t;
  std::vector<std::set<std::string>> keys;  // of each object that is open
  const auto refuse_twins = [&keys](int depth, Event event, nlohmann::json& value) {
    if (depth > kMaxDepth) base::fail("nested more than ", kMaxDepth, " levels deep");
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key && !keys.back().insert(value.get<std::string>()).second) {
      base::fail("'", value.get<std::string>(), "' is duplicated");
    }
    return true;
  };
  try {
    return nlohmann::json::parse(text, refuse_twins);
  } catch (const nlohmann::json::parse_error& error) {
    base::fail("not JSON at byte ", error.byte);
  } catch (const nlohmann::json::exception&) {
    base::fail("a number in the JSON text is out of range");
  }
}

std::string_view valid_utf8(std::string_view text) {
  if (base::find_invalid_utf8(text) != std::string_view::npos)
    base::fail("a name or a text is not UTF-8");
  return text;
}

}  // namespace awend::store
