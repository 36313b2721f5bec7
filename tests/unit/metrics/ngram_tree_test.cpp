// Matches of n-grams against counting them in maps.
#include "metrics/ngram_tree.hpp"

#include <map>
#include <random>

#include "tests/catch.hpp"

namespace {

using awend::metrics::NgramTree;
using Symbols = std::vector<std::uint32_t>;
using Counts = std::map<Symbols, std::int64_t>;

Counts count(const Symbols& symbols, std::size_t order) {
  Counts counts;
  for (std::size_t i = 0; i + order <= symbols.size(); ++i)
    ++counts[Symbols(symbols.begin() + i, symbols.begin() + i + order)];
  return counts;
}

std::int64_t expected_matches(const Symbols& hypothesis, const std::vector<Symbols>& references,
                              std::size_t order) {
  Counts counts;
  for (const auto& reference : references) {
    for (const auto& [ngram, times] : count(reference, order))
      counts[ngram] = std::max(counts[ngram], times);
  }
  std::int64_t matches = 0;
  for (const auto& [ngram, times] : count(hypothesis, order))
    matches += std::min(times, counts[ngram]);
  return matches;
}

Symbols random_symbols(std::mt19937& random) {
  const std::uint32_t alphabet[] = {0, 1, 2, 0x10FFFF, 0xFFFFFFFD};
  Symbols symbols(random() % 40);
  for (auto& symbol : symbols) symbol = alphabet[random() % 5];
  return symbols;
}

TEST_CASE("matches are those of maps, for all orders and several references") {
  std::mt19937 random(7);
  NgramTree tree;
  for (int round = 0; round < 300; ++round) {
    const std::size_t orders = 1 + random() % 7;
    std::vector<Symbols> references(1 + random() % 3);
    for (auto& reference : references) reference = random_symbols(random);
    tree.set_references(orders, references);
    for (int repeated = 0; repeated < 2; ++repeated) {
      const auto hypothesis = random_symbols(random);
      std::vector<std::int64_t> matches(orders), expected;
      tree.count_matches(hypothesis, matches);
      for (std::size_t n = 1; n <= orders; ++n)
        expected.push_back(expected_matches(hypothesis, references, n));
      REQUIRE(matches == expected);
    }
  }
}

TEST_CASE("a text whose n-grams are many has all of them") {
  std::mt19937 random(8);
  Symbols text(100'000);
  for (auto& symbol : text) symbol = random() % 1000;
  NgramTree tree;
  std::vector<std::int64_t> matches(3);
  const std::vector<Symbols> references = {text, {1, 2, 3}};
  tree.set_references(3, references);
  tree.count_matches(text, matches);
  CHECK(matches == std::vector<std::int64_t>{100'000, 99'999, 99'998});
}

}  // namespace
