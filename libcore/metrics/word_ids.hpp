// Numbers for the words of the references of a segment, so that metrics compare numbers.
//
// Test: tests/unit/metrics/word_ids_test.cpp.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace awend::metrics {

class WordIds {
 public:
  /// The number of a word that is not in any reference.
  static constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max() - 1;

  WordIds() : slots_(kFirstSlots, kEmpty) {}

  /// Removes all words.
  void clear();
  /// The number of the word, counted from 0; a new number for a new word.
  std::uint32_t add(std::string_view word);
  /// The word's number, or kUnknown.
  std::uint32_t find(std::string_view word) const;

 private:
  static constexpr std::uint32_t kEmpty = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::size_t kFirstSlots = 256;

  struct Word {
    std::uint64_t hash;
    std::size_t begin, size_bytes;  // in text_
  };

  std::size_t slot_of(std::string_view word, std::uint64_t hash) const;
  void grow();

  std::string text_;
  std::vector<Word> words_;
  std::vector<std::uint32_t> slots_;  // numbers, at the hash of the word or the next free slot
};

}  // namespace awend::metrics
