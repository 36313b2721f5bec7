// Strings in JSON.
#include "base/json_string.hpp"

#include "tests/catch.hpp"

namespace awend::base {

TEST_CASE("text in JSON: quotes, backslashes and controls are escaped, the rest is not") {
  REQUIRE(json_string("") == "\"\"");
  REQUIRE(json_string("▁Grüße & <b>") == "\"▁Grüße & <b>\"");
  REQUIRE(json_string("a\"b\\c") == R"("a\"b\\c")");
  REQUIRE(json_string(std::string_view("\t\0\x1f", 3)) == R"("\u0009\u0000\u001f")");
}

}  // namespace awend::base
