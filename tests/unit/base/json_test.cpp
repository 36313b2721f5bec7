// Writing JSON.
#include "base/json.hpp"

#include <limits>
#include <vector>

#include "tests/catch.hpp"

namespace awend::base {

TEST_CASE("quotes, backslashes and control characters are escaped", "[json]") {
  CHECK(json_string("") == "\"\"");
  CHECK(json_string("▁Grüße & <b>/\x7F") == "\"▁Grüße & <b>/\x7F\"");
  CHECK(json_string("a\"b\\c") == R"("a\"b\\c")");
  CHECK(json_string(std::string_view("\t\n\r\b\f\0\x1f", 7)) == R"("\t\n\r\b\f\u0000\u001f")");
}

TEST_CASE("invalid UTF-8 is replaced", "[json]") {
  CHECK(json_string("a\xFF\xC3") == "\"a\uFFFD\uFFFD\"");
}

TEST_CASE("numbers that JSON lacks are null", "[json]") {
  CHECK(json_number(std::numeric_limits<double>::infinity()) == "null");
  CHECK(json_number(std::numeric_limits<double>::quiet_NaN()) == "null");
  CHECK(json_number(1e-9) == "1e-09");
}

TEST_CASE("members keep the order of the calls", "[json]") {
  CHECK(JsonObject().str() == "{}");
  JsonObject object;
  object.text("z", "a \"b\" <c>\n")
      .number("x", 0.25)
      .count("n", 7)
      .value("l", json_values(std::vector{1}));
  CHECK(object.str() == R"({"z":"a \"b\" <c>\n","x":0.25,"n":7,"l":[1]})");
}

TEST_CASE("the style determines the spacing", "[json]") {
  const std::vector<std::string> values = {"1", "\"a\""};
  CHECK(json_values(std::vector<int>()) == "[]");
  CHECK(json_values(values) == "[1,\"a\"]");
  CHECK(json_values(values, kSpacedList) == "[1, \"a\"]");
  CHECK(json_list(values, json_string, kListOfLines) == "[\n  \"1\",\n  \"\\\"a\\\"\"\n]");
  CHECK(json_list(std::vector<std::string>{"", ""}, [](const auto& text) { return text; }) ==
        "[,]");
  CHECK(JsonObject(kSpacedObject).count("a", 1).count("b", 2).str() == R"({"a": 1, "b": 2})");
  const JsonStyle lines = {"{\n ", ",\n ", ": ", "\n}"};
  CHECK(JsonObject(lines).count("a", 1).count("b", 2).str() == "{\n \"a\": 1,\n \"b\": 2\n}");
  CHECK(JsonObject(lines).str() == "{}");
  CHECK(JsonObject(kObjectOfLines).flag("a", true).flag("b", false).str() ==
        "{\n  \"a\": true,\n  \"b\": false\n}");
}

}  // namespace awend::base
