// The learner against the definition: count all pairs again before every merge.
#include "text/learn/pair_learner.hpp"

#include <map>
#include <random>

#include "tests/catch.hpp"

namespace {

using namespace awend::text;

using Word = std::pair<std::vector<std::string>, std::uint64_t>;
using Pair = std::pair<std::string, std::string>;

std::vector<Pair> by_the_book(std::vector<Word> words, std::size_t max_merges,
                              std::uint64_t min_count) {
  std::vector<Pair> merges;
  while (merges.size() < max_merges) {
    std::map<Pair, std::uint64_t> counts;
    for (const auto& [symbols, count] : words) {
      for (std::size_t i = 0; i + 1 < symbols.size(); ++i)
        counts[{symbols[i], symbols[i + 1]}] += count;
    }
    auto best = counts.begin();
    for (auto pair = counts.begin(); pair != counts.end(); ++pair)
      if (pair->second >= best->second) best = pair;  // ascending: the greatest of equals wins
    if (counts.empty() || best->second < min_count) break;
    const auto [left, right] = best->first;
    merges.emplace_back(left, right);
    for (auto& [symbols, count] : words) {
      std::vector<std::string> merged;
      for (std::size_t i = 0; i < symbols.size(); ++i) {
        const bool here = i + 1 < symbols.size() && symbols[i] == left && symbols[i + 1] == right;
        merged.push_back(here ? left + right : symbols[i]);
        i += here ? 1 : 0;
      }
      symbols = merged;
    }
  }
  return merges;
}

std::vector<Word> random_words(std::mt19937& random) {
  std::vector<Word> words;
  for (std::size_t i = 1 + random() % 30; i > 0; --i) {
    Word word{{}, 1 + random() % 4};
    // Longer texts among the initial symbols, as `b</w>` is one.
    for (std::size_t size = 1 + random() % 10; size > 0; --size)
      word.first.push_back(std::vector<std::string>{"a", "b", "c", "bc", "\xC3\xA4"}[random() % 5]);
    words.push_back(word);
  }
  return words;
}

TEST_CASE("merges are those of a recount: ties, overlaps, equal texts") {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    const auto words = random_words(random);
    std::map<std::string, std::uint32_t> ids;
    std::vector<std::string> texts;
    SymbolWords input;
    for (const auto& [symbols, count] : words) {
      for (const std::string& symbol : symbols) {
        const auto [place, is_new] = ids.emplace(symbol, texts.size());
        if (is_new) texts.push_back(symbol);
        input.symbols.push_back(place->second);
      }
      input.end_word(count);
    }
    MergeSettings settings;
    settings.max_merges = random() % 40;
    settings.min_frequency = random() % 4;
    std::vector<Pair> learnt;
    for (const LearnedMerge& merge : learn_merges(input, texts, settings)) {
      learnt.emplace_back(texts.at(merge.left), texts.at(merge.right));
      CHECK(texts.at(merge.result) == texts[merge.left] + texts[merge.right]);
    }
    CHECK(learnt == by_the_book(words, settings.max_merges, settings.min_frequency));
  }
}

TEST_CASE("progress is told, counts are those of the pairs; no words give no merges") {
  std::vector<std::string> texts = {"a", "b"};
  std::vector<std::size_t> told;
  MergeSettings settings;
  settings.progress = [&](std::size_t merges, std::size_t symbols) {
    told.push_back(merges);
    CHECK(symbols == 3);
  };
  SymbolWords words;
  words.symbols = {0, 1};
  words.end_word(2);
  words.symbols.insert(words.symbols.end(), {0, 1, 0});
  words.end_word(1);
  const auto merges = learn_merges(words, texts, settings);
  REQUIRE(merges.size() == 1);
  CHECK(merges[0].count == 3);
  CHECK(merges[0].result == 2);
  CHECK(texts == std::vector<std::string>{"a", "b", "ab"});
  CHECK(told == std::vector<std::size_t>{1});
  CHECK(learn_merges(SymbolWords(), texts, settings).empty());
}

}  // namespace
