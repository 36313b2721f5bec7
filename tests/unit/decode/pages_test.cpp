// Pages and ranges of caches: nothing is allocated twice, and returned rows can be allocated again.
#include "decode/pages.hpp"

#include <set>
#include <stdexcept>

#include "base/random.hpp"
#include "tests/catch.hpp"

namespace awend::decode {

TEST_CASE("the number of pages is rounded up") {
  REQUIRE(PagePool::pages_for(1) == 1);
  REQUIRE(PagePool::pages_for(PagePool::kRows) == 1);
  REQUIRE(PagePool::pages_for(PagePool::kRows + 1) == 2);
}

TEST_CASE("no more pages are reserved than exist, and each is taken once") {
  PagePool pool(5);
  REQUIRE(pool.reserve(3));
  REQUIRE_FALSE(pool.reserve(3));
  REQUIRE(pool.unreserved() == 2);
  REQUIRE(pool.reserve(2));
  std::set<std::uint32_t> out;
  for (int i = 0; i < 5; ++i) out.insert(pool.take());
  REQUIRE(out == std::set<std::uint32_t>{0, 1, 2, 3, 4});
  REQUIRE_THROWS_AS(pool.take(), std::logic_error);
  pool.give_back(2);
  REQUIRE(pool.take() == 2);
  pool.release(5);
  REQUIRE(pool.unreserved() == 5);
  REQUIRE_THROWS_AS(pool.release(1), std::logic_error);
}

TEST_CASE("a range takes the first gap that is long enough") {
  RangePool pool(10);
  REQUIRE(pool.take(4) == 0);
  REQUIRE(pool.take(3) == 4);
  REQUIRE(pool.take(3) == 7);
  REQUIRE_FALSE(pool.take(1).has_value());
  pool.give_back(0, 4);
  pool.give_back(7, 3);
  REQUIRE_FALSE(pool.take(5).has_value());  // seven rows are free, but not contiguous
  REQUIRE(pool.take(3) == 0);
  pool.give_back(4, 3);
  REQUIRE(pool.take(7) == 3);  // adjacent gaps are merged
  pool.give_back(0, 3);
  REQUIRE_THROWS_AS(pool.give_back(2, 2), std::logic_error);
}

TEST_CASE("allocated ranges never overlap, and all returned rows form one range") {
  constexpr std::uint32_t kRows = 60;
  RangePool pool(kRows);
  std::vector<int> owner(kRows, -1);
  struct Taken {
    std::uint32_t begin, length;
  };
  std::vector<Taken> taken;
  base::Random random(9);
  int refused = 0;
  for (int round = 0; round < 2000; ++round) {
    if (taken.empty() || random.below(2) == 0) {
      const std::uint32_t length = 1 + random.below(12);
      const auto begin = pool.take(length);
      refused += begin ? 0 : 1;
      if (!begin) continue;
      REQUIRE(*begin + length <= kRows);
      for (std::uint32_t i = 0; i < length; ++i) REQUIRE(owner[*begin + i] == -1);
      for (std::uint32_t i = 0; i < length; ++i) owner[*begin + i] = round;
      taken.push_back({*begin, length});
    } else {
      const std::uint32_t which = random.below(static_cast<std::uint32_t>(taken.size()));
      const auto [begin, length] = taken[which];
      for (std::uint32_t i = 0; i < length; ++i) owner[begin + i] = -1;
      pool.give_back(begin, length);
      taken.erase(taken.begin() + which);
    }
  }
  REQUIRE(refused > 0);
  for (const auto& [begin, length] : taken) pool.give_back(begin, length);
  REQUIRE(pool.take(kRows) == 0);
}

}  // namespace awend::decode
