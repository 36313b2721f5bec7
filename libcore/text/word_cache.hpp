// The words that came last, with what they were turned into.  Zipf's law: a few thousand words are
// most of any text.  Bounded: 4 MB, however long the text; of two words that want one place, the
// one that was asked for longer ago gives way.  Test: tests/unit/text/word_cache_test.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "text/text_hash.hpp"

namespace awend::text {

/// A word that a cache was told of, and its hash.
struct FetchedWord {
  std::string_view text;
  std::uint64_t hash;
};

/// One a thread.
class WordCache {
 public:
  WordCache() : sets_(kSets) {}

  /// What insert() was given with this word, unless it has been forgotten; else a view without
  /// data. It holds until the next call.
  std::string_view find(std::string_view word) { return find(word, text_hash(word)); }
  /// The same, where the hash of the word is known.
  std::string_view find(std::string_view word, std::uint64_t hash) {
    if (word.empty() || word.size() > kSlotBytes) return {};
    Set& set = sets_[hash % kSets];
    if (!holds(set[0], word)) {
      if (!holds(set[1], word)) return {};
      std::swap(set[0], set[1]);
    }
    return {set[0].bytes.data() + word.size(), set[0].result_bytes};
  }

  /// Fetches the place of a word that find() will soon ask for; returns the word's hash.
  std::uint64_t fetch(std::string_view word) const {
    const std::uint64_t hash = text_hash(word);
    __builtin_prefetch(&sets_[hash % kSets]);
    return hash;
  }

  /// Words and results that are too long together are not kept.
  void insert(std::string_view word, std::string_view result) {
    if (word.empty() || word.size() + result.size() > kSlotBytes) return;
    Set& set = set_of(word);
    set[1] = set[0];
    set[0].word_bytes = static_cast<std::uint8_t>(word.size());
    set[0].result_bytes = static_cast<std::uint8_t>(result.size());
    std::memcpy(set[0].bytes.data(), word.data(), word.size());
    std::memcpy(set[0].bytes.data() + word.size(), result.data(), result.size());
  }

 private:
  static constexpr std::size_t kSets = 1 << 15;
  static constexpr std::size_t kSlotBytes = 62;  // a slot is a cache line

  struct alignas(64) Slot {
    std::uint8_t word_bytes = 0;  // 0: free
    std::uint8_t result_bytes = 0;
    std::array<char, kSlotBytes> bytes;  // the word, the result
  };
  using Set = std::array<Slot, 2>;  // the one asked for last is in front

  static bool holds(const Slot& slot, std::string_view word) {
    return slot.word_bytes == word.size() &&
           std::memcmp(slot.bytes.data(), word.data(), word.size()) == 0;
  }
  Set& set_of(std::string_view word) { return sets_[text_hash(word) % kSets]; }

  std::vector<Set> sets_;
};

}  // namespace awend::text
