// A cache of recent words and their results.  By Zipf's law, a few thousand words account for most
// of any text.  Bounded to 4 MB; of two words for one slot, the one used longer ago is evicted.
// Test: tests/unit/text/word_cache_test.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/text_hash.hpp"

namespace awend::text {

/// A word that was announced to a cache, and its hash.
struct FetchedWord {
  std::string_view text;
  std::uint64_t hash;
};

/// Each thread has its own.
class WordCache {
 public:
  /// Throws std::bad_alloc.
  WordCache() : memory_(std::calloc(kSets + 1, sizeof(Set)), &std::free) {
    if (!memory_) throw std::bad_alloc();
    void* begin = memory_.get();
    std::size_t size_bytes = (kSets + 1) * sizeof(Set);
    sets_ = static_cast<Set*>(std::align(alignof(Set), kSets * sizeof(Set), begin, size_bytes));
  }

  /// The result stored by insert() for this word, or a view without data if it has been
  /// evicted.  Valid until the next call.
  std::string_view find(std::string_view word) { return find(word, text_hash(word)); }
  /// The same, with the known hash of the word.
  std::string_view find(std::string_view word, std::uint64_t hash) {
    if (word.empty() || word.size() > kSlotBytes) return {};
    Set& set = sets_[hash % kSets];
    if (!holds(set[0], word)) {
      if (!holds(set[1], word)) return {};
      std::swap(set[0], set[1]);
    }
    return {set[0].bytes.data() + word.size(), set[0].result_bytes};
  }

  /// Prefetches the slot of a word for a later find(); returns the hash of the word.
  std::uint64_t fetch(std::string_view word) const {
    const std::uint64_t hash = text_hash(word);
    __builtin_prefetch(&sets_[hash % kSets]);
    return hash;
  }

  /// Words and results that are too long together are not stored.
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
  static constexpr std::size_t kSlotBytes = 62;  // a slot is one cache line

  struct alignas(64) Slot {
    std::uint8_t word_bytes;  // 0: free
    std::uint8_t result_bytes;
    std::array<char, kSlotBytes> bytes;  // the word, the result
  };
  using Set = std::array<Slot, 2>;  // the most recently used one is first

  static bool holds(const Slot& slot, std::string_view word) {
    return slot.word_bytes == word.size() &&
           std::memcmp(slot.bytes.data(), word.data(), word.size()) == 0;
  }
  Set& set_of(std::string_view word) { return sets_[text_hash(word) % kSets]; }

  // Large zeroed memory has no pages before they are used: a few lines need few of them.
  std::unique_ptr<void, decltype(&std::free)> memory_;
  Set* sets_;  // kSets, all free at first
};

/// Ids as the bytes of a result.
inline void append_bytes(std::span<const std::uint32_t> ids, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(ids.data()), ids.size_bytes());
}

inline void append_ids_of_bytes(std::string_view bytes, std::vector<std::uint32_t>& ids) {
  if (bytes.empty()) return;
  const std::size_t begin = ids.size();
  ids.resize(begin + bytes.size() / sizeof(std::uint32_t));
  std::memcpy(ids.data() + begin, bytes.data(), bytes.size());
}

}  // namespace awend::text
