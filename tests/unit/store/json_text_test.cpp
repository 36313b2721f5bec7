// Strings found in JSON.
#include "store/json_text.hpp"

#include "tests/catch.hpp"

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

}  // namespace
}  // namespace awend::store
