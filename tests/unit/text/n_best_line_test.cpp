// Lines of n-best lists, whose texts may contain bars.
#include "text/n_best_line.hpp"

#include <string>

#include "tests/catch.hpp"

namespace awend::text {
namespace {

std::string parsed(std::string_view line) {
  const auto parts = parse_n_best_line(line);
  if (!parts) return "none";
  return std::to_string(parts->number) + "[" + std::string(parts->text) + "]" +
         std::string(parts->fields.value_or("none"));
}

}  // namespace

TEST_CASE("a line of an n-best list has a number, a text and fields", "[n-best]") {
  CHECK(parsed("3 ||| a b ||| logprob= -1.5 ||| -1") == "3[a b]logprob= -1.5 ||| -1");
  CHECK(parsed("7 ||| a ||| LM= -1 ||| -9 ||| 0=0") == "7[a]LM= -1 ||| -9 ||| 0=0");
  CHECK(parsed("7 ||| a") == "7[a]none");
  CHECK(parsed("7 |||  a  ||| ") == "7[ a ]");
}

TEST_CASE("the text of an n-best line may be empty", "[n-best]") {
  CHECK(parsed("0 |||  ||| logprob= 0 ||| 0") == "0[]logprob= 0 ||| 0");
  CHECK(parsed("0 ||| ||| logprob= 0 ||| 0") == "0[]logprob= 0 ||| 0");
  CHECK(parsed("7 ||| ||| ") == "7[]");
  CHECK(parsed("7 ||| ") == "7[]none");
}

TEST_CASE("the text of an n-best line of translate may contain bars", "[n-best]") {
  CHECK(parsed("0 ||| a ||| b ||| logprob= -1 ||| 2") == "0[a ||| b]logprob= -1 ||| 2");
  CHECK(parsed("0 ||| a||| b ||| logprob= -1 ||| 2") == "0[a||| b]logprob= -1 ||| 2");
  CHECK(parsed("0 ||| a||| b ||| LM= 1") == "0[a||| b]LM= 1");
  CHECK(parsed("0 ||| a ||| logprob= 1 ||| logprob= -1 ||| 2") ==
        "0[a ||| logprob= 1]logprob= -1 ||| 2");
}

TEST_CASE("other lines are not of an n-best list", "[n-best]") {
  for (const char* line : {"", "a", "1", "1 a", "a ||| b", "-1 ||| b", " 1 ||| b", "1|||b"})
    CHECK(parsed(line) == "none");
}

}  // namespace awend::text
