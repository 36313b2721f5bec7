#include "metrics/word_ids.hpp"

#include <algorithm>

#include "text/text_hash.hpp"

namespace awend::metrics {

void WordIds::clear() {
  text_.clear();
  words_.clear();
  // A segment of many words must not make clearing expensive for all segments that follow.
  if (slots_.size() > kFirstSlots) slots_.resize(kFirstSlots);
  std::ranges::fill(slots_, kEmpty);
}

std::uint32_t WordIds::add(std::string_view word) {
  const auto hash = text::text_hash(word);
  auto slot = slot_of(word, hash);
  if (slots_[slot] != kEmpty) return slots_[slot];
  if (2 * words_.size() >= slots_.size()) {
    grow();
    slot = slot_of(word, hash);
  }
  slots_[slot] = static_cast<std::uint32_t>(words_.size());
  words_.push_back({hash, text_.size(), word.size()});
  text_ += word;
  return slots_[slot];
}

std::uint32_t WordIds::find(std::string_view word) const {
  const auto number = slots_[slot_of(word, text::text_hash(word))];
  return number == kEmpty ? kUnknown : number;
}

std::size_t WordIds::slot_of(std::string_view word, std::uint64_t hash) const {
  const auto mask = slots_.size() - 1;
  for (auto slot = hash & mask;; slot = (slot + 1) & mask) {
    if (slots_[slot] == kEmpty) return slot;
    const auto& other = words_[slots_[slot]];
    if (other.hash == hash &&
        std::string_view(text_).substr(other.begin, other.size_bytes) == word) {
      return slot;
    }
  }
}

void WordIds::grow() {
  slots_.assign(2 * slots_.size(), kEmpty);
  const auto mask = slots_.size() - 1;
  for (std::uint32_t number = 0; number < words_.size(); ++number) {
    auto slot = words_[number].hash & mask;
    while (slots_[slot] != kEmpty) slot = (slot + 1) & mask;
    slots_[slot] = number;
  }
}

}  // namespace awend::metrics
