// The tokens of a shortlist and their rows in the projection.
#include "decode/shortlist.hpp"

#include "tests/catch.hpp"

namespace awend::decode {

TEST_CASE("a shortlist has its tokens and the special ones, in the order of ids") {
  const Shortlist list({9, 4, 9, 30}, {.end_of_sentence = 1, .unknown = 0});
  REQUIRE(list.size() == 5);
  const std::uint32_t expected[] = {0, 1, 4, 9, 30};
  for (std::uint32_t place = 0; place < 5; ++place) {
    REQUIRE(list.id(place) == expected[place]);
    REQUIRE(list.place(expected[place]) == place);
  }
  for (const std::uint32_t id : {2, 5, 29, 31}) REQUIRE_FALSE(list.has(id));
}

TEST_CASE("no shortlist is all tokens") {
  const Shortlist list({}, {});
  REQUIRE(list.all());
  REQUIRE(list.id(17) == 17);
  REQUIRE(list.place(17) == 17u);
}

}  // namespace awend::decode
