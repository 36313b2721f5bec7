// Two texts, line for line, as numbers.  The numbers of words are in order of their first
// occurrence; 0 is no word. Test: tests/unit/align/aligner_test.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/spill.hpp"

namespace awend::align {

using WordId = std::uint32_t;
/// The word from which target words without a counterpart come (Brown et al. 1993).
inline constexpr WordId kNoWord = 0;

/// The words of one side, with numbers from 1.
class WordIds {
 public:
  /// The number of the word, a new one if it has none.
  WordId add(std::string_view word);
  /// The number of the word, or kNoWord.
  WordId find(std::string_view word) const;
  const std::string& word(WordId id) const { return *words_[id - 1]; }
  /// One more than the largest number.
  std::size_t size() const { return words_.size() + 1; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const;
  };
  std::unordered_map<std::string, WordId, Hash, std::equal_to<>> ids_;
  std::vector<const std::string*> words_;
};

struct SentencePair {
  std::span<const WordId> source, target;

  SentencePair reversed() const { return {target, source}; }
};

/// Which side of a bitext is the source of a model.
enum class Direction { kForward, kReverse };

/// Sentence pairs of any number: what exceeds the memory is in a temporary file.  Not thread-safe
/// while pairs are added.
class Bitext {
 public:
  /// Temporary files are created in `directory`.
  Bitext(std::size_t memory_bytes, std::string directory);

  /// Adds a line of each side, whose words are separated by spaces.  A pair with more than
  /// `max_words` on a side becomes an empty one; then false.
  bool add(std::string_view source, std::string_view target, std::size_t max_words);

  std::size_t size() const { return ends_.size() / 2; }
  SentencePair operator[](std::size_t i) const;
  SentencePair pair(std::size_t i, Direction direction) const {
    return direction == Direction::kForward ? (*this)[i] : (*this)[i].reversed();
  }
  /// The sum of the products of the lengths of all pairs.
  std::uint64_t cells() const { return cells_; }

  WordIds source_words, target_words;

 private:
  std::unique_ptr<base::SpillResource> memory_;
  std::pmr::vector<WordId> words_;
  std::pmr::vector<std::uint64_t> ends_;  // in `words_`, of the source and the target of each pair
  std::uint64_t cells_ = 0;
};

}  // namespace awend::align
