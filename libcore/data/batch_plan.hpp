// Which sentences meet in which batch, and in which order the batches come.
//
// An epoch's order follows from (seed, epoch) alone.  Every pair of the corpus takes part once; of
// several corpora, those of one with the weight w take part w times, where a fraction of w is that
// share of the corpus, drawn anew each epoch.  All are brought together by approximate length as
// section 5.1 of the paper asks (lengths that differ by less than a tenth count as equal), shuffled
// within their length, so that neighbours change from epoch to epoch, cut where the next pair would
// exceed the capacity, and the batches are shuffled.  Hence a position is two numbers, and a run
// that resumes at it sees what it would have seen.
//
// The corpus need not fit in memory: its lengths are read in its own order, and making a plan takes
// 12 bytes a pair, keeping it 4.  Test: tests/unit/data/batch_plan_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/batch.hpp"
#include "data/pairs_view.hpp"

namespace awend::data {

/// The most tokens a batch may have, ends of sentences counted: on the source side, and as many on
/// the target side.
struct BatchSettings {
  std::uint32_t batch_tokens = 25000;
  std::uint64_t seed = 1;
};

/// A partition of sentence pairs into batches.
class BatchPlan {
 public:
  /// The plan of one epoch.  Requires every pair to fit in a batch (see encode_corpus).
  static BatchPlan of_epoch(const PairsView& corpus, const BatchSettings& settings,
                            std::uint64_t epoch);

  /// The corpus in its own order, as validation reads it; seed and weights play no part.
  static BatchPlan in_order(const PairsView& corpus, const BatchSettings& settings);

  std::size_t size() const { return ranges_.size(); }

  /// The pairs of batch `index`.
  std::span<const std::uint32_t> operator[](std::size_t index) const {
    return std::span(pairs_).subspan(ranges_[index].begin,
                                     ranges_[index].end - ranges_[index].begin);
  }

 private:
  std::vector<std::uint32_t> pairs_;
  std::vector<RowRange> ranges_;  // of pairs_, one a batch
};

/// A place in the endless sequence of batches.
struct BatchPosition {
  std::uint64_t epoch = 0;  // from 0
  std::uint64_t index = 0;  // of a batch in its epoch

  bool operator==(const BatchPosition&) const = default;
};

/// The batches of epoch after epoch.  Requires a corpus that is not empty and outlives the stream.
class BatchStream {
 public:
  BatchStream(const PairsView& corpus, const BatchSettings& settings, BatchPosition start = {});

  /// The pairs of the batch at position(), which moves on.
  std::vector<std::uint32_t> next();

  /// Where the next batch stands: what a checkpoint keeps.  An epoch's end is the next one's
  /// beginning.
  BatchPosition position() const { return position_; }

  /// How many batches the epoch of position() has.
  std::uint64_t batches_in_epoch() const { return plan_.size(); }

 private:
  PairsView corpus_;
  BatchSettings settings_;
  BatchPosition position_;
  BatchPlan plan_;
};

}  // namespace awend::data
