// Byte pair encoding (Sennrich et al., 2016), learnt exactly: the pair of neighbours that stands
// most often becomes one symbol, again and again; among equals the pair with the greatest texts by
// bytes, which is by code points.  Overlapping pairs count (x x x has two), merging goes from left
// to right without overlap.
//
// Nothing is counted twice: each pair knows the words it stands in, and a merge corrects the counts
// of its neighbours only.  Memory is some 40 bytes a character of the distinct words.
// Test: tests/unit/text/learn_test.cpp, against a plain recount.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory_resource>
#include <string>
#include <vector>

namespace awend::text {

/// Distinct words as sequences of symbols, and how often each stands in the text.
struct SymbolWords {
  std::pmr::vector<std::uint32_t> symbols;  // end to end
  std::pmr::vector<std::uint64_t> begins;   // of each word in `symbols`, and the end of the last
  std::pmr::vector<std::uint64_t> counts;   // one a word

  explicit SymbolWords(std::pmr::memory_resource* memory = std::pmr::get_default_resource())
      : symbols(memory), begins(1, 0, memory), counts(memory) {}

  std::size_t size() const { return counts.size(); }
  /// Ends the word whose symbols were appended since the last one; fewer than two are none.
  void end_word(std::uint64_t count) {
    if (symbols.size() < begins.back() + 2) return symbols.resize(begins.back());
    begins.push_back(symbols.size());
    counts.push_back(count);
  }
};

struct LearnedMerge {
  std::uint32_t left, right, result;  // indices of texts
  std::uint64_t count;                // how often the pair stood in the text then
};

struct MergeSettings {
  std::size_t max_merges = std::numeric_limits<std::size_t>::max();
  std::size_t max_symbols = std::numeric_limits<std::size_t>::max();  // different texts
  std::uint64_t min_frequency = 2;
  /// Told after each merge how many merges and symbols there are; may throw.
  std::function<void(std::size_t merges, std::size_t symbols)> progress = {};
};

/// Learns merges until a limit is met or no pair is frequent enough.  `texts` holds the text of
/// each symbol of `words`, and gets those of the new ones; where two merges give the same text it
/// is one symbol.
std::vector<LearnedMerge> learn_merges(SymbolWords words, std::vector<std::string>& texts,
                                       const MergeSettings& settings);

}  // namespace awend::text
