// A flat hash table from a pair of symbols to a number: usually one probe and one cache line. Test:
// tests/unit/text/tables_test.cpp.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace awend::text {

inline std::uint64_t make_pair_key(std::uint32_t left, std::uint32_t right) {
  return std::uint64_t{left} << 32 | right;
}
inline std::uint32_t left_of(std::uint64_t pair) {
  return static_cast<std::uint32_t>(pair >> 32);
}
inline std::uint32_t right_of(std::uint64_t pair) {
  return static_cast<std::uint32_t>(pair);
}

class PairTable {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  /// The pair's number, or kNone.
  std::uint32_t find(std::uint64_t pair) const { return slots_[slot_of(pair)].number; }

  /// The number of the pair; `number` (not kNone) is stored if it has none.
  std::uint32_t find_or_insert(std::uint64_t pair, std::uint32_t number) {
    std::size_t slot = slot_of(pair);
    if (slots_[slot].number != kNone) return slots_[slot].number;
    if (2 * ++size_ > slots_.size()) {
      grow();
      slot = slot_of(pair);
    }
    slots_[slot] = {pair, number};
    return number;
  }

 private:
  struct Slot {
    std::uint64_t pair = 0;
    std::uint32_t number = kNone;
  };

  // The slot of the pair, or the free slot where it would be stored.
  std::size_t slot_of(std::uint64_t pair) const {
    const std::size_t mask = slots_.size() - 1;
    // The upper half of the product depends on all bits of the pair.
    std::size_t slot = (pair * 0x9E3779B97F4A7C15U >> 32) & mask;
    while (slots_[slot].number != kNone && slots_[slot].pair != pair) slot = (slot + 1) & mask;
    return slot;
  }

  void grow() {
    std::vector<Slot> old(4 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.number != kNone) slots_[slot_of(slot.pair)] = slot;
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(1024);  // a power of two
  std::size_t size_ = 0;
};

}  // namespace awend::text
