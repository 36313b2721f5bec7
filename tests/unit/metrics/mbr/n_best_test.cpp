// Entries of n-best lists, of translate and of other programs.
#include "metrics/mbr/n_best.hpp"

#include "base/concat.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::metrics {
namespace {

std::string parsed(std::string_view line) {
  const auto entry = parse_n_best_entry(line, "f:1");
  auto text = std::to_string(entry.line) + "[" + std::string(entry.text) + "]";
  for (const auto& [name, value] : entry.features) text += base::concat(" ", name, "=", value);
  return text;
}

}  // namespace

TEST_CASE("entries of n-best lists") {
  CHECK(parsed("3 ||| a b ||| logprob= -1.5 ||| -0.75") == "3[a b] logprob=-1.5 score=-0.75");
  CHECK(parsed("0 |||  ||| logprob= 0 ||| 0") == "0[] logprob=0 score=0");
  CHECK(parsed("0 ||| a ||| logprob= -inf ||| -inf ||| 0-0 1-1") == "0[a] logprob=-inf score=-inf");
  CHECK(parsed("0 ||| x ||| y ||| logprob= -1 ||| 2") == "0[x ||| y] logprob=-1 score=2");
  CHECK(parsed("7 ||| a ||| LM0= -1 TM= 1 2 -3e-1 d: 4 ||| -9 ||| 0=0") ==
        "7[a] LM0=-1 TM.1=1 TM.2=2 TM.3=-0.3 d=4 score=-9");
  CHECK(parsed("7 ||| a") == "7[a]");
  CHECK(parsed("7 ||| ") == "7[]");
  CHECK(parsed("7 ||| ||| ") == "7[]");
  CHECK(parsed("7 |||  a  ||| ") == "7[ a ]");
}

TEST_CASE("what is not an entry is an error") {
  const auto message = [](std::string_view line) {
    return tests::message_of([&] { parse_n_best_entry(line, "f:1"); });
  };
  const std::string expected = "f:1: expected an entry of an n-best list, line ||| text ||| ...";
  for (const char* line : {"", "a", "1", "1 a", "a ||| b", "-1 ||| b", " 1 ||| b", "1|||b"})
    CHECK(message(line) == expected);
  CHECK(message("1 ||| b ||| logprob= x ||| 1") == "f:1: 'x' is not a number");
  CHECK(message("1 ||| b ||| logprob= nan ||| 1") == "f:1: 'nan' is not a number");
  CHECK(message("1 ||| b ||| logprob= 1 ||| ") == "f:1: '' is not a number");
  CHECK(message("1 ||| b ||| -1 ||| 1") ==
        "f:1: expected a feature such as 'logprob= -1', got '-1'");
}

}  // namespace awend::metrics
