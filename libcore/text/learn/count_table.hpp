// How often each text was seen: a flat table over texts that stand end to end.
//
// Made for the words of a corpus, of which a few are most: finding one costs a hash and, as a rule,
// one cache line.  Test: tests/unit/text/tables_test.cpp.
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

  /// Hints that the text with this hash will be added soon: first ask for where it would stand, a
  /// little later for what stands there.
  void prefetch(std::uint64_t hash) const {
    __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  }
  void prefetch_text(std::uint64_t hash) const {
    __builtin_prefetch(slots_[hash & (slots_.size() - 1)].text);
  }

  std::size_t size() const { return size_; }
  /// What the table takes, more or less.
  std::size_t memory_bytes() const { return slots_.size() * sizeof(Slot) + text_bytes_; }

  /// Calls visit(text, hash, count) for each; the texts stay where they are until clear().
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
    std::uint64_t count;  // 0: nothing here
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
