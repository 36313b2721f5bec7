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

TEST_CASE("hostile JSON", "[json]") {
  const auto complaint = [](const std::string& json) {
    return tests::message_of([&] { json_elements(json); });
  };
  CHECK(complaint("[" + std::string(32, '[') + std::string(32, ']') + "]").empty());
  CHECK(complaint(std::string(100, '[')) == "nested more than 32 levels deep");
  CHECK(complaint("[1e999]") == "a number in the JSON text is out of range");
  CHECK(complaint("[1] 2") == "not JSON at byte 5");
  CHECK(complaint(R"([{"a": 1, "b": {"a": 2}}, {"a": 3}])").empty());
  // In linear time: with time that grows with the square this takes minutes.
  std::string many = "[{}";
  for (int i = 0; i < 300'000; ++i) many += ",{}";
  CHECK(json_elements(many + "]").size() == 300'001);
}

}  // namespace
}  // namespace awend::store
