// Exact learning of byte pair encoding (Sennrich et al., 2016): repeatedly, the most frequent pair
// of neighbors becomes one symbol; of equally frequent pairs, the one that comes first in an order
// of their texts, by bytes, which is also an order by code points.  Overlapping pairs count (x x x
// has two); merging proceeds from left to right without overlap.
//
// Nothing is counted twice: each pair knows the words that contain it, and a merge updates only the
// counts of its neighbors.  Memory is about 40 bytes per character of the distinct words. Test:
// tests/unit/text/learn/learn_test.cpp, against a simple recount.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

namespace awend::text {

/// Distinct words as sequences of symbols, with their counts.
struct SymbolWords {
  std::pmr::vector<std::uint32_t> symbols;  // concatenated
  std::pmr::vector<std::uint64_t> begins;   // of each word in `symbols`, and the end of the last
  std::pmr::vector<std::uint64_t> counts;   // one per word

  explicit SymbolWords(std::pmr::memory_resource* memory = std::pmr::get_default_resource())
      : symbols(memory), begins(1, 0, memory), counts(memory) {}

  std::size_t size() const { return counts.size(); }
  /// Ends the word whose symbols were appended since the last call; ignores words of fewer than
  /// two.
  void end_word(std::uint64_t count) {
    if (symbols.size() < begins.back() + 2) return symbols.resize(begins.back());
    begins.push_back(symbols.size());
    counts.push_back(count);
  }
};

struct LearnedMerge {
  std::uint32_t left, right, result;  // indices of texts
  std::uint64_t count;                // of the pair at that time
};

/// Which of equally frequent pairs is merged first, and what happens to a pair whose text is that
/// of an earlier symbol.
enum class MergeOrder {
  kGreatestFirst,  // subword-nmt: the greatest texts by bytes; it becomes the same symbol
  kShortestFirst,  // SentencePiece: the fewest characters, then the least text by bytes; not
                   // merged; a min_frequency of 0 includes pairs that no longer occur
};

struct MergeSettings {
  MergeOrder order = MergeOrder::kGreatestFirst;
  /// True for a text that may become a symbol; unset: any.
  std::function<bool(std::string_view text)> accepts = {};
  std::size_t max_merges = std::numeric_limits<std::size_t>::max();
  std::size_t max_symbols = std::numeric_limits<std::size_t>::max();  // of different texts
  std::uint64_t min_frequency = 2;
  /// Called after each merge with the numbers of merges and symbols; may throw.
  std::function<void(std::size_t merges, std::size_t symbols)> progress = {};
};

/// Learns merges until a limit is reached or no pair is frequent enough.  `texts` contains the
/// text of each symbol of `words`; new symbols are appended.  Merges with the same resulting text
/// share one symbol.
std::vector<LearnedMerge> learn_merges(SymbolWords words, std::vector<std::string>& texts,
                                       const MergeSettings& settings);

}  // namespace awend::text
