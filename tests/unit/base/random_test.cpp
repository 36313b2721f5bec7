// Random numbers: the published vectors of Philox, fairness of the derived numbers, and that a seed
// fixes everything.
#include "base/random.hpp"

#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"

namespace awend::base {
namespace {

using Words = std::array<std::uint32_t, 4>;

TEST_CASE("philox gives the vectors published with Random123", "[random]") {
  CHECK(philox({0, 0, 0, 0}, {0, 0}) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
        Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("a uniform float stays below one", "[random]") {
  CHECK(uniform_float(0) == 0.0F);
  CHECK(uniform_float(0xffffffff) == 1.0F - 0x1p-24F);
  CHECK(uniform_float(0x80000000) == 0.5F);
}

TEST_CASE("a seed and a stream fix the sequence", "[random]") {
  Random first(7);
  Random same(7);
  Random other_seed(8);
  Random other_stream(7, 1);
  Random high_seed(7 + (std::uint64_t{1} << 32));
  bool seeds_differ = false;
  bool streams_differ = false;
  bool high_words_differ = false;
  for (int draw = 0; draw < 10; ++draw) {
    const auto word = first.word();
    CHECK(word == same.word());
    seeds_differ |= word != other_seed.word();
    streams_differ |= word != other_stream.word();
    high_words_differ |= word != high_seed.word();
  }
  CHECK(seeds_differ);
  CHECK(streams_differ);
  CHECK(high_words_differ);
}

TEST_CASE("bounded numbers stay below the bound and are fair", "[random]") {
  Random random(1);
  std::array<int, 7> counts{};
  constexpr int kDraws = 70000;
  for (int draw = 0; draw < kDraws; ++draw) {
    const auto number = random.below(7);
    REQUIRE(number < 7);
    ++counts[number];
  }
  // Five standard deviations of a binomial with p = 1/7.
  for (int count : counts) CHECK(std::abs(count - kDraws / 7) < 5 * std::sqrt(kDraws * 6.0 / 49));
  for (int draw = 0; draw < 100; ++draw) CHECK(random.below(1) == 0);
  CHECK_THROWS_AS(random.below(0), std::logic_error);
}

TEST_CASE("bounded numbers are fair where the bound is close to 2^32", "[random]") {
  // Without redrawing, the high half of word * bound would fall below 2^30 for a third of the words
  // and more.
  Random random(2);
  constexpr std::uint32_t kBound = 0xC0000000;
  int low = 0;
  for (int draw = 0; draw < 30000; ++draw) low += random.below(kBound) % 3 == 0 ? 1 : 0;
  CHECK(std::abs(low - 10000) < 5 * std::sqrt(30000 * 2.0 / 9));
}

TEST_CASE("normal floats have the moments of a normal distribution", "[random]") {
  Random random(3);
  constexpr int kDraws = 50000;
  double sum = 0;
  double squares = 0;
  double fourth = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    const double number = random.normal();
    sum += number;
    squares += number * number;
    fourth += number * number * number * number;
  }
  CHECK(std::abs(sum / kDraws) < 0.025);
  CHECK(squares / kDraws == Approx(1).margin(0.04));
  CHECK(fourth / kDraws == Approx(3).margin(0.25));
  CHECK(std::isfinite(normal_float(0, 0)));
  CHECK(std::isfinite(normal_float(0xffffffff, 0xffffffff)));
}

TEST_CASE("a permutation holds every number once and depends on the seed", "[random]") {
  Random random(4);
  auto order = random.permutation(1000);
  CHECK(order == Random(4).permutation(1000));
  CHECK(order != Random(5).permutation(1000));
  std::sort(order.begin(), order.end());
  for (std::uint32_t place = 0; place < order.size(); ++place) REQUIRE(order[place] == place);
  CHECK(random.permutation(0).empty());
  CHECK(random.permutation(1) == std::vector<std::uint32_t>{0});
}

TEST_CASE("all orders of three are equally likely", "[random]") {
  Random random(6);
  std::array<int, 27> counts{};
  for (int draw = 0; draw < 12000; ++draw) {
    const auto order = random.permutation(3);
    ++counts[order[0] * 9 + order[1] * 3 + order[2]];
  }
  int seen = 0;
  for (int count : counts) {
    if (count == 0) continue;
    ++seen;
    CHECK(std::abs(count - 2000) < 5 * std::sqrt(12000 * 5.0 / 36));
  }
  CHECK(seen == 6);
}

TEST_CASE("the dropout threshold is the share of words below it", "[random]") {
  CHECK(dropout_threshold(0) == 0);
  CHECK(dropout_threshold(0.5) == 0x80000000);
  CHECK(dropout_threshold(0.1) == 429496729);
  CHECK_THROWS_AS(dropout_threshold(1), std::logic_error);
  CHECK_THROWS_AS(dropout_threshold(-0.1), std::logic_error);
}

}  // namespace
}  // namespace awend::base
