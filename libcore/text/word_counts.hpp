// How often each word stands in a text.  Memory grows with the number of different words, not with
// the text. Test: tests/unit/text/word_counts_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/normalize.hpp"
#include "text/words.hpp"

namespace awend::text {

struct WordCount {
  std::string word;  // as WordBreaker gives it, a space at its front included
  std::uint64_t count;
};

/// One a thread; add_all() brings them together.
class WordCounter {
 public:
  explicit WordCounter(Normalization normalization) : normalization_(normalization) {}

  /// Counts the words of a raw line.
  void add(std::string_view line);
  void add_all(const WordCounter& other);
  /// The words in the order of their bytes, so that nothing depends on the order of counting.
  std::vector<WordCount> sorted() const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  using Counts = std::unordered_map<std::string, std::uint64_t, Hash, std::equal_to<>>;

  static void add(Counts& counts, std::string_view text, std::uint64_t count);
  void add_words(Counts& counts, std::string_view chunk, std::uint64_t count) const;

  Normalization normalization_;
  mutable WordBreaker breaker_;
  Counts chunks_;  // short ones, whose words are looked for once, at the end
  Counts words_;   // of long chunks: in Chinese a chunk is a sentence and stands once
};

}  // namespace awend::text
