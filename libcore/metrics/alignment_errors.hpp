// Errors of word alignments compared with gold alignments that have sure and possible links (Och
// and Ney 2003). Test: tests/unit/metrics/alignment_errors_test.cpp.
#pragma once

#include <cstdint>

#include "text/word_alignment.hpp"

namespace awend::metrics {

class AlignmentErrors {
 public:
  /// Adds a sentence pair.  All links of `hypothesis` count, whether sure or possible.
  void add(const text::WordAlignment& hypothesis, const text::WordAlignment& gold);

  /// The share of the links that are sure or possible.
  double precision() const { return share(possible_hits_, links_); }
  /// The share of the sure links that were found.
  double recall() const { return share(sure_hits_, sure_); }
  /// 1 - (|A and S| + |A and P|) / (|A| + |S|), where sure links are possible, too; 0 if there are
  /// no links at all.
  double rate() const;
  std::uint64_t links() const { return links_; }
  std::uint64_t sure() const { return sure_; }

 private:
  // Of nothing, all are right.
  static double share(std::uint64_t part, std::uint64_t all) {
    return all == 0 ? 1 : static_cast<double>(part) / static_cast<double>(all);
  }

  std::uint64_t links_ = 0, sure_ = 0, sure_hits_ = 0, possible_hits_ = 0;
};

}  // namespace awend::metrics
