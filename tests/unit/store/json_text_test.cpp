// JSON as it is written by hand, and what is found in JSON of others.
#include "store/json_text.hpp"

#include <limits>

#include "base/error.hpp"
#include "store/settings.hpp"
#include "tests/catch.hpp"

namespace awend::store {
namespace {

TEST_CASE("an object has its members in the order in which they came", "[json]") {
  CHECK(JsonObject().str() == "{}");
  JsonObject object;
  object.text("z", "a \"b\" <c>\n").number("x", 0.25).count("n", 7).value("l", json_list({"1"}));
  CHECK(object.str() == R"({"z":"a \"b\" <c>\n","x":0.25,"n":7,"l":[1]})");
  CHECK(json_list({}) == "[]");
  CHECK(json_list({"1", "\"a\""}) == "[1,\"a\"]");
  CHECK_THROWS_AS(json_text("\xff"), base::Error);
}

TEST_CASE("JSON has no infinity", "[json]") {
  CHECK(json_number(std::numeric_limits<double>::infinity()) == "null");
  CHECK(json_number(1e-9) == "1e-09");
  CHECK(Settings::from_json("{\"a\":" + json_number(1e300) + "}", "x").number("a") == 1e300);
}

TEST_CASE("a text at the end of a path", "[json]") {
  const auto json = R"({"file_format_version":"1.0","ICD":{"library_path":"lib.so","n":1}})";
  CHECK(json_text_at(json, {"ICD", "library_path"}) == "lib.so");
  CHECK(json_text_at(json, {"file_format_version"}) == "1.0");
  CHECK(json_text_at(json, {"ICD"}) == std::nullopt);
  CHECK(json_text_at(json, {"ICD", "n"}) == std::nullopt);
  CHECK(json_text_at(json, {"ICD", "library_path", "more"}) == std::nullopt);
  CHECK(json_text_at("{", {"ICD"}) == std::nullopt);
}

}  // namespace
}  // namespace awend::store
