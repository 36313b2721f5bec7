// Splitting a word into pieces: by merging byte pairs (Sennrich et al., 2016; English-German in the
// paper) or by longest match (Wu et al., 2016; English-French in the paper).  Test:
// tests/unit/text/segment_test.cpp.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "text/pair_merging.hpp"
#include "text/symbols.hpp"
#include "text/vocabulary.hpp"

namespace awend::text {

/// BPE dropout (Provilkov et al., 2020): in each round, each pair is skipped with this probability.
struct MergeDropout {
  double probability;
  base::Random random;
};

/// Byte pairs: the merge of lowest rank first, at all its places, from left to right.  Each thread
/// has its own.
class PairMerger {
 public:
  explicit PairMerger(const Vocabulary& vocabulary);
  PairMerger(const PairMerger&) = delete;  // its merger refers to its table
  void append(std::string_view word, Ids& ids);
  /// The same with merges randomly skipped.
  void append(std::string_view word, MergeDropout& dropout, Ids& ids);

 private:
  CharacterIds characters_;
  MergeTable merges_;
  SymbolMerger merger_;
  Ids symbols_;
};

/// Word pieces: the longest piece that is a prefix of the rest of the word.
class LongestMatcher {
 public:
  explicit LongestMatcher(const Vocabulary& vocabulary);
  void append(std::string_view word, Ids& ids);

 private:
  const Vocabulary& vocabulary_;
  std::size_t longest_bytes_ = 0;
};

}  // namespace awend::text
