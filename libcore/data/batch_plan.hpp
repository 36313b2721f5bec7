// The assignment of sentences to batches, and the order of batches.
//
// The order of an epoch depends only on (seed, epoch).  Every pair of the corpus occurs once; of
// several corpora, the pairs of one with weight w occur w times, where a fractional part of w is a
// random share of the corpus, sampled in each epoch.  Pairs are grouped by approximate length as
// in section 5.1 of the paper (lengths that differ by less than a tenth are equivalent), shuffled
// within their length, so that neighbors change between epochs, split before the next pair would
// exceed the capacity, and the batches are shuffled.  Therefore a position is two numbers, and a
// resumed run processes the same batches.
//
// The corpus need not fit in memory: its lengths are read in sequence; creating a plan takes 12
// bytes per pair, keeping it 4.  Test: tests/unit/data/batch_plan_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "batch/packed_batch.hpp"
#include "data/pairs_view.hpp"

namespace awend::data {

/// The maximum number of tokens of a batch, including ends of sentences: on the source side, and
/// the same on the target side.
struct BatchSettings {
  std::uint32_t batch_tokens = 25000;
  std::uint64_t seed = 1;
  std::uint32_t batch_sentences = 0;  ///< The maximum number of pairs; 0: no limit.
};

/// A partition of sentence pairs into batches.
class BatchPlan {
 public:
  /// The plan of one epoch.  Requires: every pair fits in a batch (see encode_corpus).
  static BatchPlan of_epoch(const PairsView& corpus, const BatchSettings& settings,
                            std::uint64_t epoch);

  /// The corpus in its own order, for validation, independent of seed and weights.
  static BatchPlan in_order(const PairsView& corpus, const BatchSettings& settings);

  std::size_t size() const { return ranges_.size(); }

  /// The pairs of batch `index`.
  std::span<const std::uint32_t> operator[](std::size_t index) const {
    return std::span(pairs_).subspan(ranges_[index].begin,
                                     ranges_[index].end - ranges_[index].begin);
  }

 private:
  std::vector<std::uint32_t> pairs_;
  std::vector<batch::RowRange> ranges_;  // of pairs_, one per batch
};

/// A position in the endless sequence of batches.
struct BatchPosition {
  std::uint64_t epoch = 0;  // from 0
  std::uint64_t index = 0;  // of a batch in its epoch

  bool operator==(const BatchPosition&) const = default;
};

/// The batches of all epochs.  Requires: a nonempty corpus that outlives the stream.
class BatchStream {
 public:
  BatchStream(const PairsView& corpus, const BatchSettings& settings, BatchPosition start = {});

  /// The pairs of the batch at position(), which is then advanced.
  std::vector<std::uint32_t> next();

  /// The position of the next batch, which a checkpoint stores.  The end of an epoch is the
  /// beginning of the next.
  BatchPosition position() const { return position_; }

  /// The number of batches in the epoch of position().
  std::uint64_t batches_in_epoch() const { return plan_.size(); }

 private:
  PairsView corpus_;
  BatchSettings settings_;
  BatchPosition position_;
  BatchPlan plan_;
};

}  // namespace awend::data
