// Counts of texts: a flat hash table over concatenated texts.
//
// It is designed for the words of a corpus, a few of which account for most occurrences: a lookup
// costs a hash and usually one cache line.  Test: tests/unit/text/tables_test.cpp.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <string_view>
#include <vector>

#include "text/text_hash.hpp"

namespace awend::text {

class CountTable {
 public:
  explicit CountTable(std::pmr::memory_resource* memory = std::pmr::get_default_resource());
  CountTable(CountTable&&) = default;

  void add(std::string_view text, std::uint64_t count) { add(text, text_hash(text), count); }
  /// `hash` is text_hash(text).
  void add(std::string_view text, std::uint64_t hash, std::uint64_t count);

  /// Prefetches for an add() of the text with this hash: first the slot, and in a later call the
  /// text.
  void prefetch(std::uint64_t hash) const {
    __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  }
  void prefetch_text(std::uint64_t hash) const {
    __builtin_prefetch(slots_[hash & (slots_.size() - 1)].text);
  }

  std::size_t size() const { return size_; }
  /// The approximate memory of the table.
  std::size_t memory_bytes() const { return slots_.size() * sizeof(Slot) + text_bytes_; }

  /// Calls visit(text, hash, count) for each text; the texts do not move until clear().
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const Slot& slot : slots_) {
      if (slot.count > 0)
        visit(std::string_view(slot.text, slot.size_bytes), slot.hash, slot.count);
    }
  }

  void clear();

 private:
  struct Slot {
    std::uint64_t hash;
    std::uint64_t count;  // 0: free slot
    const char* text;
    std::size_t size_bytes;
  };

  Slot& slot_of(std::string_view text, std::uint64_t hash);
  const char* keep(std::string_view text);
  void grow();

  std::pmr::memory_resource* memory_;
  std::pmr::vector<Slot> slots_;  // a power of two
  std::size_t size_ = 0;
  std::pmr::vector<std::pmr::vector<char>> blocks_;  // of texts
  std::size_t text_bytes_ = 0;
};

}  // namespace awend::text
