// Strings found in JSON.
#include "store/json_text.hpp"

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::store {
namespace {

TEST_CASE("a text at the end of a path", "[json]") {
  const auto json = R"({"file_format_version":"1.0","ICD":{"library_path":"lib.so","n":1}})";
  CHECK(json_text_at(json, {"ICD", "library_path"}) == "lib.so");
  CHECK(json_text_at(json, {"file_format_version"}) == "1.0");
  CHECK(json_text_at(json, {"ICD"}) == std::nullopt);
  CHECK(json_text_at(json, {"ICD", "n"}) == std::nullopt);
  CHECK(json_text_at(json, {"ICD", "library_path", "more"}) == std::nullopt);
  CHECK(json_text_at("{", {"ICD"}) == std::nullopt);
}

TEST_CASE("the elements of a list are texts or JSON") {
  CHECK(json_elements(R"(["a", 1, {"b": [2]}, null])") ==
        std::vector<std::string>{"a", "1", R"({"b":[2]})", "null"});
  CHECK(json_elements("[]").empty());
  CHECK(tests::message_of([] { json_elements("{}"); }) == "not a JSON list");
}

}  // namespace
}  // namespace awend::store
