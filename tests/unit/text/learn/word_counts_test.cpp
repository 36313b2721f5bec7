#include "text/learn/word_counts.hpp"

#include <map>
#include <random>

#include "tests/catch.hpp"

namespace {

using namespace awend::text;

std::map<std::string, std::uint64_t> counts_of(const WordList& list) {
  std::map<std::string, std::uint64_t> counts;
  for (const auto& [word, count] : list.words()) {
    CHECK(!counts.contains(std::string(word)));
    counts[std::string(word)] = count;
  }
  return counts;
}

using Counts = std::map<std::string, std::uint64_t>;

TEST_CASE("words are counted after normalization") {
  WordCounter counter({});
  counter.add(0, "b a, e\u0301");
  counter.add(0, "");
  counter.add(0, "a \u00E9");
  CHECK(counts_of(counter.finish()) == Counts{{" a", 2}, {" b", 1}, {" \u00E9", 2}, {",", 1}});
}

TEST_CASE("spaces belong to the next word") {
  WordCounter counter({.form = {.control = ControlCharacters::kRemove}});
  counter.add(0, " a  ");
  counter.add(0, "\x01");  // nothing is left of it
  CHECK(counts_of(counter.finish()) == Counts{{" ", 3}, {" a", 1}});
}

TEST_CASE("long chunks count as short ones do, and workers add up") {
  const std::string sentence = "我们喜欢音乐我们喜欢音乐我们喜欢音乐";
  WordCounter counter({.threads = 2});
  counter.add(0, sentence);
  counter.add(1, "x " + sentence);
  CHECK(counts_of(counter.finish()) ==
        Counts{{" x", 1}, {" 我们", 2}, {"喜欢", 6}, {"我们", 4}, {"音乐", 6}});
}

TEST_CASE("with the rule of spaces, words are separated by spaces") {
  WordCounter counter({.rule = WordRule::kSpaces});
  counter.add(0, "  a,  b-c \u00A0x  \r");
  counter.add(0, "");
  CHECK(counts_of(counter.finish()) == Counts{{"a,", 1}, {"b-c", 1}, {"\u00A0x", 1}});
}

TEST_CASE("words that BERT does not write in pieces are not counted") {
  const std::string longest(200, 'a'), umlauts = [] {
    std::string text;
    for (int i = 0; i < 100; ++i) text += "\u00FC";
    return text;
  }();
  WordCounter counter({.rule = WordRule::kBert});
  counter.add(0, longest + " b a" + longest);
  CHECK(counts_of(counter.finish()) == Counts{{" " + longest, 1}, {" b", 1}});
  WordCounter other({.rule = WordRule::kBert, .bert_rules = BertRules::kHuggingFace});
  other.add(0, longest + " " + umlauts + " u" + umlauts);
  CHECK(counts_of(other.finish()) == Counts{{" " + umlauts, 1}});
}

TEST_CASE("what does not fit in memory is counted in files") {
  std::mt19937 random(1);
  CountSettings all = {.threads = 2}, few = {.threads = 2, .memory_bytes = 3 << 20};
  WordCounter in_memory(all), in_files(few);
  for (int i = 0; i < 30000; ++i) {
    const std::string line = "w" + std::to_string(random() % 20000) + " and(" +
                             std::to_string(random() % 100) + ") " + std::string(40, 'x') +
                             std::to_string(random() % 3000);
    for (WordCounter* counter : {&in_memory, &in_files}) counter->add(i % 2, line);
    if (i % 100 == 0) in_files.spill_if_large(i / 100 % 2);
  }
  CHECK(in_files.has_spilled());
  CHECK(!in_memory.has_spilled());
  CHECK(counts_of(in_files.finish()) == counts_of(in_memory.finish()));
}

TEST_CASE("an invalid directory for files is named") {
  CHECK_THROWS_WITH(
      [] {
        WordCounter counter({.memory_bytes = 0, .directory = "/no/directory"});
        counter.add(0, "a");
        counter.spill_if_large(0);
      }(),
      "/no/directory: No such file or directory");
}

}  // namespace
