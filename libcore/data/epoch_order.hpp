// The pairs of an epoch in the order in which they are split into batches: by approximate length,
// and randomly within a length.  Test: tests/unit/data/batch_plan_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "data/pairs_view.hpp"

namespace awend::data {

/// A pair with the data that determine its position in a plan.
struct PlannedPair {
  std::uint32_t pair;
  std::uint16_t source_tokens, target_tokens;

  /// The length of the longer side.
  std::uint32_t length() const { return std::max(source_tokens, target_tokens); }
};

/// The pairs of an epoch by length class, shuffled by `random` within each class; the set of pairs
/// depends on (seed, epoch).  Reads the lengths of the corpus in sequence, twice.  Throws Error
/// if there are more than 2^32.
std::vector<PlannedPair> epoch_order(const PairsView& corpus, std::uint64_t seed,
                                     std::uint64_t epoch, base::Random& random);

}  // namespace awend::data
