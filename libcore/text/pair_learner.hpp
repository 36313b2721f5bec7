// Learning byte pairs (Sennrich et al., 2016), exactly: the most frequent pair of neighbours
// becomes one symbol, again and again; among equals the pair whose texts are greatest by bytes,
// which is the order of code points.  Overlapping occurrences count, as in subword-nmt: x x x has
// (x, x) twice.  Test: tests/unit/text/pair_learner_test.cpp, against counting anew before every
// merge.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace awend::text {

/// Distinct words as sequences of symbols, with how often each stands in the text.
struct SymbolWords {
  std::vector<std::uint32_t> symbols;  // end to end
  std::vector<std::uint64_t> begins;   // where each word begins, and behind the last where it ends
  std::vector<std::uint64_t> counts;   // one a word
};

struct LearnedMerge {
  std::uint32_t left, right, result;
  std::uint64_t count;  // of the pair, when it was merged
};

struct MergeSettings {
  std::size_t max_merges = std::numeric_limits<std::size_t>::max();
  std::uint64_t min_frequency = 2;  // of a pair
  std::function<void(std::size_t merges)> progress = {};
};

/// Learns merges until there are `max_merges` or no pair is frequent enough.  `texts` are those of
/// the initial symbols, all different; a new symbol gets the next id and the two texts joined.
/// Where that text is already a symbol's the result is that symbol: ab + c and a + bc are one.
std::vector<LearnedMerge> learn_merges(SymbolWords words, std::vector<std::string>& texts,
                                       const MergeSettings& settings);

}  // namespace awend::text
