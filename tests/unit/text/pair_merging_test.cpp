// Both ways of merging against the definition: find the pair of lowest rank again in every
// round.
#include "text/pair_merging.hpp"

#include <random>

#include "tests/catch.hpp"

namespace {

using namespace awend::text;
using Symbols = SymbolMerger::Symbols;

Symbols by_the_book(const std::vector<Merge>& merges, Symbols symbols) {
  while (true) {
    const Merge* best = nullptr;
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      for (const Merge& merge : merges) {
        if (merge.left != symbols[i] || merge.right != symbols[i + 1]) continue;
        if (best == nullptr || &merge < best) best = &merge;
        break;
      }
    }
    if (best == nullptr) return symbols;
    Symbols merged;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const bool here =
          i + 1 < symbols.size() && symbols[i] == best->left && symbols[i + 1] == best->right;
      merged.push_back(here ? best->result : symbols[i]);
      i += here ? 1 : 0;
    }
    symbols = merged;
  }
}

// Merges of the symbols so far, in any order, a few of them twice, some with a result that is
// known.
std::vector<Merge> random_merges(std::mt19937& random, std::uint32_t alphabet, std::size_t count) {
  std::vector<Merge> merges;
  for (std::uint32_t next = alphabet; merges.size() < count; ++next) {
    Merge merge{static_cast<std::uint32_t>(random() % next),
                static_cast<std::uint32_t>(random() % next), next};
    if (random() % 8 == 0 && !merges.empty())
      merge.result = merges[random() % merges.size()].result;
    merges.push_back(merge);
    if (random() % 16 == 0) merges.push_back(merges[random() % merges.size()]);
  }
  if (random() % 2) std::shuffle(merges.begin(), merges.end(), random);
  return merges;
}

// Symbols at random, or a short row of them again and again.
Symbols random_word(std::mt19937& random, std::uint32_t alphabet, std::size_t size) {
  const std::size_t period = random() % 2 ? 1 + random() % 4 : size;
  Symbols symbols;
  for (std::size_t i = 0; i < size; ++i)
    symbols.push_back(i < period ? random() % alphabet : symbols[i - period]);
  return symbols;
}

TEST_CASE("scanning and lists of places merge as the definition does") {
  std::mt19937 random(1);
  std::size_t merged = 0;
  for (int round = 0; round < 1'000; ++round) {
    const std::uint32_t alphabet = 1 + random() % 5;
    const auto merges = random_merges(random, alphabet, 1 + random() % 25);
    const MergeTable table(merges);
    SymbolMerger merger(table);
    for (int word = 0; word < 10; ++word) {
      const Symbols symbols = random_word(random, alphabet, 1 + random() % 60);
      const Symbols expected = by_the_book(merges, symbols);
      Symbols scanned = symbols, listed = symbols, kept = symbols;
      merger.merge_by_scanning(scanned);
      merger.merge_by_lists(listed);
      merger.merge_kept(kept, [] { return true; });
      if (scanned != expected || listed != expected || kept != expected) FAIL("round " << round);
      merged += symbols.size() - expected.size();
    }
  }
  CHECK(merged > 50'000);
}

TEST_CASE("a long word takes little more than linear time") {
  // a a, aa aa, ...: every round merges half of what is there, twenty rounds in all.
  std::vector<Merge> merges;
  for (std::uint32_t symbol = 0; symbol < 20; ++symbol)
    merges.push_back({symbol, symbol, symbol + 1});
  const MergeTable table(merges);
  SymbolMerger merger(table);
  Symbols symbols(1 << 20, 0);
  merger.merge(symbols);
  CHECK(symbols == Symbols{20});
  // x y is merged where it occurs once in the whole word, for each of many x: a scan a round would
  // be quadratic.
  merges.clear();
  constexpr std::uint32_t kPairs = 50'000;
  for (std::uint32_t i = 0; i < kPairs; ++i) merges.push_back({2 * i, 2 * i + 1, 2 * kPairs + i});
  const MergeTable wide(merges);
  symbols.clear();
  for (std::uint32_t i = 0; i < 2 * kPairs; ++i) symbols.push_back(2 * kPairs - 1 - (i ^ 1));
  SymbolMerger(wide).merge(symbols);
  CHECK(symbols.size() == kPairs);
  CHECK(symbols.front() == 3 * kPairs - 1);
}

TEST_CASE("a pair that is not kept is tried again in the next round, from left to right") {
  const MergeTable table({{0, 0, 1}, {1, 1, 2}});
  SymbolMerger merger(table);
  std::string asked;
  const auto with = [&](std::string_view answers, Symbols symbols) {
    asked.clear();
    merger.merge_kept(symbols, [&] {
      asked += answers.at(asked.size());
      return asked.back() == '1';
    });
    return symbols;
  };
  CHECK(with("0", {0, 0}) == Symbols{0, 0});
  // 0 0 0 0: only the second pair; then 0 1 0 has none.
  CHECK(with("01011", {0, 0, 0, 0}) == Symbols{0, 1, 0});
  CHECK(asked == "01011");
  // A pair without a rank is tried as well, and does not continue the rounds.
  CHECK(with("11011", {0, 0, 0, 5}) == Symbols{1, 0, 5});
}

TEST_CASE("words of no symbol and of one stay; a table without merges merges nothing") {
  const MergeTable table({});
  SymbolMerger merger(table);
  for (Symbols symbols : {Symbols{}, Symbols{7}, Symbols{7, 7}, Symbols(1000, 7)}) {
    const Symbols before = symbols;
    merger.merge(symbols);
    CHECK(symbols == before);
  }
}

}  // namespace
