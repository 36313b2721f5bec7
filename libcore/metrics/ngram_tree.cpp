#include "metrics/ngram_tree.hpp"

#include <algorithm>
#include <bit>

#include "base/error.hpp"

namespace awend::metrics {
namespace {

constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio

constexpr std::size_t kFirstPlaces = 1 << 18;

// No key is 0, because every symbol is incremented by one.
std::uint64_t key_of(std::uint64_t parent, std::uint32_t symbol) {
  return parent << 32 | (symbol + 1);
}

}  // namespace

// Slots for all n-grams, unless there are very many: long lines repeat themselves.
void NgramTree::set_references(std::size_t orders, std::span<const Symbols> references) {
  orders_ = orders;
  std::size_t symbols = 0;
  for (const auto& reference : references) symbols += reference.size();
  const auto enough = std::bit_ceil(2 * orders * (symbols + 1));
  const auto first = std::max(kFirstPlaces, std::bit_ceil(4 * orders));
  for (auto size = std::min(enough, first);; size *= 2) {
    clear(size);
    if (std::ranges::all_of(references, [this](const auto& symbols) { return add(symbols); }))
      return;
  }
}

void NgramTree::clear(std::size_t size) {
  base::check(size >> 32 == 0, "a place has 32 bits");
  mask_ = size - 1;
  shift_ = 64 - std::countr_zero(size);
  taken_ = 0;
  if (nodes_.size() < size) nodes_.resize(size);
  std::fill_n(nodes_.begin(), size, Node{});
}

// The slot of the key, or the free slot for it.
inline std::uint64_t NgramTree::place_of(std::uint64_t key) const {
  auto place = key * kMix >> shift_;
  while (nodes_[place].key != key && nodes_[place].key != 0) place = (place + 1) & mask_;
  return place;
}

// False if there are too few slots, and some n-grams are missing.
bool NgramTree::add(std::span<const std::uint32_t> symbols) {
  visited_.resize(symbols.size() * orders_);
  auto* visited = visited_.data();
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const auto end = std::min(symbols.size(), i + orders_);
    std::uint64_t parent = 0;  // the number of a node is its slot plus one; 0 is the root
    for (auto last = i; last < end; ++last) {
      const auto key = key_of(parent, symbols[last]);
      const auto place = place_of(key);
      auto& node = nodes_[place];
      taken_ += node.key == 0 ? 1 : 0;
      node.key = key;
      node.count = std::max(node.count, ++node.seen);
      *visited++ = static_cast<std::uint32_t>(place);
      parent = place + 1;
    }
    if (taken_ > mask_ / 2 + 1) return false;
  }
  visited_.resize(static_cast<std::size_t>(visited - visited_.data()));
  forget_seen();
  return true;
}

void NgramTree::count_matches(std::span<const std::uint32_t> symbols,
                              std::span<std::int64_t> matches) {
  std::ranges::fill(matches, 0);
  visited_.resize(symbols.size() * orders_);
  auto* visited = visited_.data();
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const auto end = std::min(symbols.size(), i + orders_);
    std::uint64_t parent = 0;
    for (auto last = i; last < end; ++last) {
      const auto place = place_of(key_of(parent, symbols[last]));
      auto& node = nodes_[place];
      if (node.key == 0) break;
      matches[last - i] += ++node.seen <= node.count ? 1 : 0;
      *visited++ = static_cast<std::uint32_t>(place);
      parent = place + 1;
    }
  }
  visited_.resize(static_cast<std::size_t>(visited - visited_.data()));
  forget_seen();
}

void NgramTree::forget_seen() {
  for (auto place : visited_) nodes_[place].seen = 0;
}

}  // namespace awend::metrics
