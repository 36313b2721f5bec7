// What words became, remembered: a few thousand words are most of any text (Zipf's law).
//
// Memory is bounded: a cache that is full begins anew.  Test: tests/unit/text/word_cache_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/count_table.hpp"

namespace awend::text {

/// From a word to a row of `Value`s.  One a thread.
template <class Value>
class WordCache {
 public:
  /// Longer words are rare and take room from others.
  static constexpr std::size_t kMaxWordBytes = 64;

  /// What `append(word, values)` appends for the word, asked for at most once while it is
  /// remembered.  Holds until the next call.
  template <class Append>
  std::span<const Value> get(std::string_view word, const Append& append) {
    if (word.size() > kMaxWordBytes) {
      scratch_.clear();
      append(word, scratch_);
      return {scratch_.data(), scratch_.size()};
    }
    const std::uint64_t hash = hash_of(word);
    Slot* slot = &slot_of(word, hash);
    if (slot->hash == 0) {
      if (size_ == kSlots / 2 || values_.size() * sizeof(Value) > kMaxValueBytes) {
        clear();
        slot = &slot_of(word, hash);
      }
      scratch_.clear();
      append(word, scratch_);
      *slot = {hash | 1, keys_.size(), values_.size(), scratch_.size(), word.size()};
      keys_ += word;
      values_.insert(values_.end(), scratch_.begin(), scratch_.end());
      ++size_;
    }
    return {values_.data() + slot->value, slot->values};
  }

 private:
  static constexpr std::size_t kSlots = 1 << 17;
  static constexpr std::size_t kMaxValueBytes = 16 << 20;

  struct Slot {
    std::uint64_t hash = 0;  // odd; 0: nothing here
    std::size_t key = 0, value = 0, values = 0;
    std::size_t key_bytes = 0;
  };

  Slot& slot_of(std::string_view word, std::uint64_t hash) {
    for (std::size_t i = hash >> 40;; ++i) {
      Slot& slot = slots_[i % kSlots];
      if (slot.hash == 0) return slot;
      if (slot.hash == (hash | 1) && slot.key_bytes == word.size() &&
          std::memcmp(keys_.data() + slot.key, word.data(), word.size()) == 0) {
        return slot;
      }
    }
  }

  void clear() {
    std::fill(slots_.begin(), slots_.end(), Slot());
    keys_.clear();
    values_.clear();
    size_ = 0;
  }

  std::vector<Slot> slots_ = std::vector<Slot>(kSlots);
  std::string keys_;
  std::vector<Value> values_, scratch_;
  std::size_t size_ = 0;
};

}  // namespace awend::text
