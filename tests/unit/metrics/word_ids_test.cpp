// Numbers of words, beyond the table's first size too.
#include "metrics/word_ids.hpp"

#include "tests/catch.hpp"

namespace {

using awend::metrics::WordIds;

TEST_CASE("words are numbered as they come, and forgotten") {
  WordIds ids;
  for (int round = 0; round < 2; ++round) {
    CHECK(ids.find("a") == WordIds::kUnknown);
    CHECK(ids.add("a") == 0);
    CHECK(ids.add("") == 1);
    CHECK(ids.add("a") == 0);
    CHECK(ids.find("") == 1);
    bool right = true;
    for (std::uint32_t i = 2; i < 5000; ++i) right &= ids.add(std::to_string(i)) == i;
    for (std::uint32_t i = 2; i < 5000; ++i) right &= ids.find(std::to_string(i)) == i;
    CHECK(right);
    CHECK(ids.find("5000") == WordIds::kUnknown);
    ids.clear();
  }
}

}  // namespace
