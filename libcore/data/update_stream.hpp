// Updates one after the other: the sentences of each, packed into passes that fit the device's
// memory.
//
// An update takes one batch of the plan, or several.  Its sentences are cut, in their order, into
// passes of a bounded number of rows; each pass knows which rows of the whole update its own are,
// so that the gradients of all passes add up to those of the update whatever the bound is.  Where
// several processes train together each takes its share of the sentences, and packs only that.
//
// The next update is packed on another thread while the device works on this one.  Test:
// tests/unit/data/update_stream_test.cpp.
#pragma once

#include <cstdint>
#include <future>
#include <span>
#include <vector>

#include "data/batch_plan.hpp"

namespace awend::data {

struct UpdateShape {
  std::uint32_t batches = 1;    ///< Of the plan, to one update.
  std::uint32_t pass_rows = 0;  ///< Most rows of a pass on either side; 0: batch_tokens.
  std::uint32_t process = 0;    ///< Of `processes`, from 0.
  std::uint32_t processes = 1;  ///< That share an update's sentences.
};

/// The pairs [begin, end) of an update, and the numbers in it of their first rows.
struct PassCut {
  std::size_t begin = 0, end = 0;
  std::uint32_t first_source_row = 0, first_target_row = 0;

  bool operator==(const PassCut&) const = default;
};

/// The passes of one process, in order; all processes' together are the whole update.  A process
/// takes the pairs whose tokens begin in its part of the update's.  Requires every pair to fit.
std::vector<PassCut> cut_passes(const PairsView& corpus, std::span<const std::uint32_t> pairs,
                                const UpdateShape& shape);

struct PackedUpdate {
  std::vector<Batch> passes;
  std::uint64_t target_tokens = 0;  ///< Of the whole update, all processes'.
};

class UpdateStream {
 public:
  /// As BatchStream.
  UpdateStream(const PairsView& corpus, const BatchSettings& settings, const UpdateShape& shape,
               BatchPosition start = {});

  PackedUpdate next();

  /// Where the update after the last one that next() gave begins: what a checkpoint keeps.
  BatchPosition position() const { return place_.position; }
  /// Epochs done there, as a fraction.
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
  std::size_t touched_ = 0;  // pairs, since the corpus was last forgotten
  Place place_;
  std::future<Packed> coming_;  // last: it works on what stands above
};

}  // namespace awend::data
