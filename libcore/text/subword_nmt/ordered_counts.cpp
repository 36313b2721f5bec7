#include "text/subword_nmt/ordered_counts.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "text/text_hash.hpp"

namespace awend::text {

OrderedCounts::OrderedCounts() : slots_(1 << 10) {}

std::string_view OrderedCounts::text(std::size_t number) const {
  const std::size_t begin = entries_[number].begin;
  const std::size_t end = number + 1 < entries_.size() ? entries_[number + 1].begin : bytes_.size();
  return std::string_view(bytes_).substr(begin, end - begin);
}

void OrderedCounts::add(std::string_view added, std::uint64_t count) {
  const std::uint64_t hash = text_hash(added);
  std::size_t slot = hash & (slots_.size() - 1);
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    Entry& entry = entries_[slots_[slot] - 1];
    if (entry.hash != hash || text(slots_[slot] - 1) != added) continue;
    entry.count += count;
    return;
  }
  if (entries_.size() == std::numeric_limits<std::uint32_t>::max())
    base::fail("a text has more than 2^32 different words");
  entries_.push_back({hash, bytes_.size(), count});
  bytes_ += added;
  slots_[slot] = static_cast<std::uint32_t>(entries_.size());
  if (2 * entries_.size() > slots_.size()) grow();
}

void OrderedCounts::grow() {
  slots_.assign(2 * slots_.size(), 0);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::size_t slot = entries_[i].hash & (slots_.size() - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

std::vector<std::size_t> OrderedCounts::by_count() const {
  std::vector<std::size_t> numbers(size());
  std::iota(numbers.begin(), numbers.end(), 0);
  std::stable_sort(numbers.begin(), numbers.end(),
                   [&](std::size_t a, std::size_t b) { return count(a) > count(b); });
  return numbers;
}

}  // namespace awend::text
