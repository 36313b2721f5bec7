// The learner against the definition: count all pairs again before every merge.
#include "text/learn/learn.hpp"

#include <map>
#include <random>

#include "tests/catch.hpp"
#include "text/segment.hpp"
#include "text/tokenizer.hpp"

namespace {

using namespace awend::text;

using Symbols = std::vector<std::string>;

// The merges by the book, for words of one-byte characters.
std::vector<std::pair<std::string, std::string>> plain_merges(std::span<const WordCount> words,
                                                              std::size_t count,
                                                              std::uint64_t min_frequency) {
  std::vector<std::pair<Symbols, std::uint64_t>> cut;
  for (const WordCount& word : words) {
    Symbols symbols;
    for (const char character : word.word) symbols.emplace_back(1, character);
    cut.emplace_back(symbols, word.count);
  }
  std::vector<std::pair<std::string, std::string>> merges;
  while (merges.size() < count) {
    std::map<std::pair<std::string, std::string>, std::uint64_t> pairs;
    for (const auto& [symbols, frequency] : cut) {
      for (std::size_t i = 0; i + 1 < symbols.size(); ++i)
        pairs[{symbols[i], symbols[i + 1]}] += frequency;
    }
    if (pairs.empty()) break;
    auto best = pairs.begin();
    for (auto pair = pairs.begin(); pair != pairs.end(); ++pair) {
      if (pair->second >= best->second)
        best = pair;  // the map ascends, so the greatest of equals wins
    }
    if (best->second < min_frequency) break;
    const auto [left, right] = best->first;
    merges.emplace_back(left, right);
    for (auto& [symbols, frequency] : cut) {
      Symbols merged;
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

WordList random_words(std::mt19937& random) {
  CountTable words;
  for (int i = 0; i < 40; ++i) {
    std::string word;
    for (std::size_t length = 1 + random() % 9; length > 0; --length)
      word += static_cast<char>('a' + random() % 3);
    words.add(word, 1 + random() % 5);
  }
  WordList list(std::pmr::get_default_resource());
  list.add(std::move(words));
  return list;
}

const LearnProgress kNoProgress = [](std::uint32_t) {};

TEST_CASE("merges are those of a recount, including ties and overlaps") {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const WordList list = random_words(random);
    const auto words = list.words();
    const LearnSettings settings = {.size = 310, .min_frequency = 1 + random() % 3};
    const Vocabulary vocabulary = learn(words, settings, kNoProgress);
    std::vector<std::pair<std::string, std::string>> learnt;
    for (const Merge& merge : vocabulary.merges()) {
      learnt.emplace_back(vocabulary.piece(merge.left), vocabulary.piece(merge.right));
    }
    CHECK(learnt == plain_merges(words, learnt.size(), settings.min_frequency));
    // Either the size was reached, or nothing more could be learned.
    if (vocabulary.size() < settings.size) {
      CHECK(plain_merges(words, learnt.size() + 1, settings.min_frequency).size() == learnt.size());
    }
  }
}

TEST_CASE("the size is that of all ids, the rarest characters give way") {
  const std::vector<WordCount> words = {{" abab", 10}, {"c", 3}, {"d", 2}, {"e", 1}};
  const auto pieces = [&](VocabularyType type, std::uint32_t size) {
    const Vocabulary vocabulary = learn(words, {.type = type, .size = size}, kNoProgress);
    CHECK(vocabulary.size() <= size);
    std::string list;
    for (std::uint32_t id = Vocabulary::kFirstCharacter; id < vocabulary.size(); ++id) {
      list += std::string(vocabulary.piece(id)) + "=" + std::to_string(vocabulary.count(id)) + " ";
    }
    return list;
  };
  CHECK(pieces(VocabularyType::kBpe, 259) == "a=20 ");
  CHECK(pieces(VocabularyType::kBpe, 261) == "a=20 b=20 ▁=10 ");
  CHECK(pieces(VocabularyType::kBpe, 265) == "a=0 b=0 ▁=0 c=3 d=2 ab=10 ▁ab=10 ");
  CHECK(pieces(VocabularyType::kBpe, 300) == "a=0 b=0 ▁=0 c=3 d=2 ab=0 ▁ab=0 ▁abab=10 ");
  CHECK(pieces(VocabularyType::kWordPiece, 300) == "a=0 b=0 ▁=0 c=3 d=2 ▁abab=10 ");
}

TEST_CASE("an empty text gives a vocabulary of bytes") {
  for (const auto type : {VocabularyType::kBpe, VocabularyType::kWordPiece}) {
    CHECK(learn({}, {.type = type, .size = 1000}, kNoProgress).size() ==
          Vocabulary::kFirstCharacter);
  }
}

TEST_CASE("word pieces meet the size and shorten the text") {
  std::mt19937 random(2);
  const WordList list = random_words(random);
  const auto words = list.words();
  std::size_t before = 0;
  for (const std::uint32_t size : {261U, 266U, 272U}) {
    const Vocabulary vocabulary =
        learn(words, {.type = VocabularyType::kWordPiece, .size = size}, kNoProgress);
    CHECK(vocabulary.size() == size);
    Ids ids;
    for (const WordCount& word : words) LongestMatcher(vocabulary).append(word.word, ids);
    if (before > 0) CHECK(ids.size() < before);
    before = ids.size();
  }
}

}  // namespace
