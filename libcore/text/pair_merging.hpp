// Byte pair encoding of one word (Sennrich et al., 2016), for any symbols: the pair of the word
// with the lowest rank is merged at all its places, from left to right without overlap; this is
// repeated until no pair of the word has a rank.
//
// A short word is scanned once per round.  In a long one, such as a line of Chinese or 100 MB
// without a space, each rank has a list of its places, so that the time is close to linear: O(n log
// n) in the worst case, and 8 to 16 bytes per symbol.  Both algorithms give the same symbols.
// Test: tests/unit/text/pair_merging_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <queue>
#include <span>
#include <vector>

#include "text/pair_table.hpp"
#include "text/vocabulary.hpp"

namespace awend::text {

/// A map from (left, right) to the rank of their merge, which is its position in the list.
/// Immutable, so threads may share it.
class MergeTable {
 public:
  static constexpr std::uint32_t kNoRank = PairTable::kNone;

  /// A pair that is listed twice has its first rank.  Requires: symbols < 2^31.
  explicit MergeTable(std::vector<Merge> merges);

  std::uint32_t rank(std::uint32_t left, std::uint32_t right) const {
    return ranks_.find(make_pair_key(left, right));
  }
  const Merge& merge(std::uint32_t rank) const { return merges_[rank]; }
  std::span<const Merge> merges() const { return merges_; }

 private:
  std::vector<Merge> merges_;
  PairTable ranks_;
};

/// Merges the symbols of words in place.  Each thread has its own, which keeps its memory between
/// words.  The table must outlive it.
class SymbolMerger {
 public:
  using Symbols = std::vector<std::uint32_t>;

  explicit SymbolMerger(const MergeTable& table) : table_(table) {}

  void merge(Symbols& symbols) {
    symbols.size() <= kScannedSymbols ? merge_by_scanning(symbols) : merge_by_lists(symbols);
  }
  /// With dropout: in each round `keep()` is called once for each pair of neighbors, from left to
  /// right, and pairs that are not kept have no rank in that round.  A round that keeps no pair
  /// with a rank is the last.  O(n) per round for any word.
  template <class Keep>
  void merge_kept(Symbols& symbols, const Keep& keep);

  /// The two algorithms of merge().
  void merge_by_scanning(Symbols& symbols);
  void merge_by_lists(Symbols& symbols);

 private:
  static constexpr std::size_t kScannedSymbols = 48;  // where both are equally fast

  std::size_t merge_everywhere(Symbols& symbols, std::size_t size, std::uint32_t rank);
  void list(const Symbols& symbols, std::size_t left, std::size_t right);
  void merge_at(Symbols& symbols, std::size_t place, const Merge& merge);

  const MergeTable& table_;
  std::vector<std::uint32_t> ranks_;  // of the pair that begins at each symbol
  // For long words: the places of each rank, and the ranks that have places.
  std::vector<std::vector<std::uint32_t>> places_;
  std::vector<std::uint32_t> now_;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> waiting_;
};

template <class Keep>
void SymbolMerger::merge_kept(Symbols& symbols, const Keep& keep) {
  while (symbols.size() > 1) {
    const std::size_t pairs = symbols.size() - 1;
    ranks_.resize(pairs);
    for (std::size_t i = 0; i < pairs; ++i)
      ranks_[i] = keep() ? table_.rank(symbols[i], symbols[i + 1]) : MergeTable::kNoRank;
    const std::uint32_t best = *std::min_element(ranks_.begin(), ranks_.end());
    if (best == MergeTable::kNoRank) return;
    std::size_t size = 0;
    for (std::size_t i = 0; i < symbols.size(); ++size) {
      const bool here = i < pairs && ranks_[i] == best;
      symbols[size] = here ? table_.merge(best).result : symbols[i];
      i += here ? 2 : 1;
    }
    symbols.resize(size);
  }
}

}  // namespace awend::text
