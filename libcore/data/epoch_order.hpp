// The pairs of an epoch in the order in which they are cut into batches: by approximate length, and
// at random within a length.  Test: tests/unit/data/batch_plan_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "data/pairs_view.hpp"

namespace awend::data {

/// A pair with what its place in a plan depends on.
struct PlannedPair {
  std::uint32_t pair;
  std::uint16_t source_tokens, target_tokens;

  /// The longer of its two sides.
  std::uint32_t length() const { return std::max(source_tokens, target_tokens); }
};

/// The pairs that take part in an epoch, class of length after class, each class in an order that
/// `random` decides; which pairs those are follows from (seed, epoch).  Reads the lengths of the
/// corpus in its own order, twice.  Throws Error if there are more than 2^32.
std::vector<PlannedPair> epoch_order(const PairsView& corpus, std::uint64_t seed,
                                     std::uint64_t epoch, base::Random& random);

}  // namespace awend::data
