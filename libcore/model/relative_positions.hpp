// Relative positions in buckets (Raffel et al., 2020, section 2.1): small distances have a bucket
// each, larger ones share buckets whose sizes grow exponentially, and all distances from a maximum
// on share the last one.  Test: tests/unit/model/relative_positions_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

namespace awend::model {

struct RelativePositions {
  std::uint32_t buckets;
  std::uint32_t max_distance;  ///< Above half of the buckets.
  /// Whether half of the buckets are for keys after the query; otherwise these have bucket 0.
  enum class Directions { kBackward, kBoth } directions;
};

/// The buckets of the positions of a key minus that of its query, from −max_distance to
/// max_distance.
std::vector<std::uint32_t> relative_buckets(const RelativePositions& positions);

}  // namespace awend::model
