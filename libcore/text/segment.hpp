// A word becomes pieces: by merging byte pairs (Sennrich et al., 2016; the paper's English-German)
// or by taking the longest piece that fits (Wu et al., 2016; the paper's English-French).  Test:
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

/// BPE-dropout (Provilkov et al., 2020): each time, each pair is passed over with this probability.
struct MergeDropout {
  double probability;
  base::Random random;
};

/// Byte pairs: the merge of lowest rank first, at all its places, from left to right.  One a
/// thread.
class PairMerger {
 public:
  explicit PairMerger(const Vocabulary& vocabulary);
  PairMerger(const PairMerger&) = delete;  // its merger looks at its table
  void append(std::string_view word, Ids& ids);
  /// The same with merges left out at random.
  void append(std::string_view word, MergeDropout& dropout, Ids& ids);

 private:
  CharacterIds characters_;
  MergeTable merges_;
  SymbolMerger merger_;
  Ids symbols_;
};

/// Word pieces: the longest piece that the rest of the word begins with.
class LongestMatcher {
 public:
  explicit LongestMatcher(const Vocabulary& vocabulary);
  void append(std::string_view word, Ids& ids);

 private:
  const Vocabulary& vocabulary_;
  std::size_t longest_bytes_ = 0;
};

}  // namespace awend::text
