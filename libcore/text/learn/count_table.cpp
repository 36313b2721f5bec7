#include "text/learn/count_table.hpp"

#include <algorithm>

namespace awend::text {
namespace {
constexpr std::size_t kFirstSlots = 256;
constexpr std::size_t kFirstBlockBytes = 4096, kBlockBytes = 256 * 1024;
}  // namespace

CountTable::CountTable(std::pmr::memory_resource* memory)
    : memory_(memory), slots_(memory), blocks_(memory) {
  clear();
}

void CountTable::clear() {
  std::pmr::vector<Slot>(kFirstSlots, memory_).swap(slots_);
  std::pmr::vector<std::pmr::vector<char>>(memory_).swap(blocks_);
  size_ = text_bytes_ = 0;
}

CountTable::Slot& CountTable::slot_of(std::string_view text, std::uint64_t hash) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    Slot& slot = slots_[i];
    if (slot.count == 0) return slot;
    if (slot.hash == hash && slot.size_bytes == text.size() &&
        std::memcmp(slot.text, text.data(), text.size()) == 0) {
      return slot;
    }
  }
}

void CountTable::add(std::string_view text, std::uint64_t hash, std::uint64_t count) {
  if (count == 0) return;
  Slot* slot = &slot_of(text, hash);
  if (slot->count == 0) {
    if (2 * ++size_ > slots_.size()) {
      grow();
      slot = &slot_of(text, hash);
    }
    *slot = {hash, 0, keep(text), text.size()};
  }
  slot->count += count;
}

// Blocks never move their bytes, because slots point to them.
const char* CountTable::keep(std::string_view text) {
  if (blocks_.empty() || blocks_.back().capacity() - blocks_.back().size() < text.size()) {
    const std::size_t block_bytes = std::clamp(text_bytes_, kFirstBlockBytes, kBlockBytes);
    blocks_.emplace_back();
    blocks_.back().reserve(std::max(text.size(), block_bytes));
    text_bytes_ += blocks_.back().capacity();
  }
  std::pmr::vector<char>& block = blocks_.back();
  const std::size_t begin = block.size();
  block.insert(block.end(), text.begin(), text.end());
  return block.data() + begin;
}

void CountTable::grow() {
  std::pmr::vector<Slot> old(2 * slots_.size(), memory_);
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.count == 0) continue;
    std::size_t i = slot.hash & mask;
    while (slots_[i].count != 0) i = (i + 1) & mask;
    slots_[i] = slot;
  }
}

}  // namespace awend::text
