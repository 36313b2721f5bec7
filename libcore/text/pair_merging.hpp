// Byte pair encoding of one word (Sennrich et al., 2016), whatever its symbols are: of the pairs
// that stand in the word the one of lowest rank is merged at all its places, from left to right
// without overlap; and again, until no pair of the word has a rank.
//
// A short word is scanned once a round.  In a long one, a line of Chinese or 100 MB without a
// space, each rank keeps the list of its places, so that the work is close to linear: O(n log n) at
// worst, and 8 to 16 bytes a symbol.  Both ways give the same symbols.  Test:
// tests/unit/text/pair_merging_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <queue>
#include <span>
#include <vector>

#include "text/pair_table.hpp"
#include "text/vocabulary.hpp"

namespace awend::text {

/// (left, right) to the rank of their merge, which is its place in the list.  Immutable, so threads
/// may share it.
class MergeTable {
 public:
  static constexpr std::uint32_t kNoRank = PairTable::kNone;

  /// A pair that is listed twice has its first rank.  REQUIRES: symbols < 2^31.
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

/// Merges the symbols of words in place.  One a thread: it keeps its memory from word to word.  The
/// table must outlive it.
class SymbolMerger {
 public:
  using Symbols = std::vector<std::uint32_t>;

  explicit SymbolMerger(const MergeTable& table) : table_(table) {}

  void merge(Symbols& symbols) {
    symbols.size() <= kScannedSymbols ? merge_by_scanning(symbols) : merge_by_lists(symbols);
  }
  /// With dropout: in each round `keep()` is asked once for each pair of neighbours, from left to
  /// right, and pairs that are not kept have no rank in that round.  A round that keeps no pair
  /// with a rank is the last.  O(n) a round, however long the word.
  template <class Keep>
  void merge_kept(Symbols& symbols, const Keep& keep);

  /// The two ways behind merge().
  void merge_by_scanning(Symbols& symbols);
  void merge_by_lists(Symbols& symbols);

 private:
  static constexpr std::size_t kScannedSymbols = 48;  // where both take equally long

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
