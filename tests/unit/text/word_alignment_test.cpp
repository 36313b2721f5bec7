#include "text/word_alignment.hpp"

#include "base/error.hpp"
#include "tests/catch.hpp"

namespace awend::text {

TEST_CASE("links of a line") {
  const auto alignment = parse_word_alignment(" 0-0  1-2 3p1 4?5\r");
  CHECK(alignment.sure == std::vector<Link>{{0, 0}, {1, 2}});
  CHECK(alignment.possible == std::vector<Link>{{3, 1}, {4, 5}});
  CHECK(parse_word_alignment("").sure.empty());
  std::string line;
  append_word_alignment(alignment.sure, line);
  CHECK(line == "0-0 1-2");
}

TEST_CASE("what is not a link is refused") {
  for (const auto* line : {"0", "0-", "-1", "a-b", "0-0-0", "0_0", "4294967296-0", "0--1"})
    CHECK_THROWS_WITH(parse_word_alignment(line), ContainsSubstring("is not a link, such as 0-0"));
}

}  // namespace awend::text
