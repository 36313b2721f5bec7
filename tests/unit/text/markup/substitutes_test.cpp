#include "text/markup/substitutes.hpp"

#include "tests/catch.hpp"

namespace {

using namespace awend::text;

TEST_CASE("substitutes are no words of the text") {
  Substitutes substitutes({"X y", "Zoo, z!", "MAX"});
  CHECK(substitutes.next() == "Q");
  Substitutes all({});
  std::string last;
  std::size_t count = 0;
  while (const auto next = all.next()) {
    last = *next;
    ++count;
  }
  CHECK(count == 32);
  CHECK(last == "HHHH");
}

TEST_CASE("substitutes are found as words") {
  CHECK(find_substitute("X", "X xX axe X. x-X éX 5X Xé 日X本") ==
        std::vector<TextRange>{{0, 1}, {9, 10}, {12, 13}, {14, 15}, {30, 31}});
  CHECK(find_substitute("XX", "X XX xx XXX") == std::vector<TextRange>{{2, 4}, {5, 7}});
  CHECK(find_substitute("X", "").empty());
}

}  // namespace
