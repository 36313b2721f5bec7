// The sequence of updates: the sentences of each, packed into passes that fit the memory of the
// device.
//
// An update consists of one or more batches of the plan.  Its sentences are split, in order, into
// passes of a bounded number of rows; each pass knows the position of its rows in the update, so
// that the gradients of all passes add up to those of the update for any bound.  If several
// processes train together, each packs only its share of the sentences.
//
// The next update is packed on another thread while the device processes the current one.  Test:
// tests/unit/data/update_stream_test.cpp.
#pragma once

#include <cstdint>
#include <future>
#include <span>
#include <vector>

#include "batch/packed_batch.hpp"
#include "data/batch_plan.hpp"

namespace awend::data {

struct UpdateShape {
  std::uint32_t batches = 1;    ///< Of the plan, per update.
  std::uint32_t pass_rows = 0;  ///< Maximum rows of a pass on either side; 0: batch_tokens.
  std::uint32_t process = 0;    ///< Index of this process in `processes`, from 0.
  std::uint32_t processes = 1;  ///< Processes that share the sentences of an update.
};

/// The pairs [begin, end) of an update, and the positions of their first rows in it.
struct PassCut {
  std::size_t begin = 0, end = 0;
  std::uint32_t first_source_row = 0, first_target_row = 0;

  bool operator==(const PassCut&) const = default;
};

/// The passes of one process, in order; those of all processes are the whole update.  A process
/// packs the pairs whose tokens begin in its part of the update.  Requires: every pair fits.
std::vector<PassCut> cut_passes(const PairsView& corpus, const EpochPairs& pairs,
                                const UpdateShape& shape);

struct PackedUpdate {
  std::vector<batch::PackedBatch> passes;
  std::uint64_t target_tokens = 0;  ///< Of the whole update, in all processes.
  std::uint64_t sentences = 0;      ///< Likewise.
};

class UpdateStream {
 public:
  /// The same as for BatchStream.
  UpdateStream(const PairsView& corpus, const BatchSettings& settings, const UpdateShape& shape,
               BatchPosition start = {});

  PackedUpdate next();

  /// The position after the last update that next() returned, which a checkpoint stores.
  BatchPosition position() const { return place_.position; }
  /// The completed epochs at this position, as a fraction.
  double epochs() const { return place_.epochs; }

 private:
  struct Place {
    BatchPosition position;
    double epochs;
  };
  struct Packed {
    PackedUpdate update;
    Place after;
  };
  Packed pack();
  Place place() const;

  PairsView corpus_;
  UpdateShape shape_;
  BatchStream batches_;
  std::size_t touched_ = 0;  // pairs since the pages of the corpus were last released
  Place place_;
  std::future<Packed> coming_;  // last member, because it uses those above
};

}  // namespace awend::data
