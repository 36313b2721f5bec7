// Two systems whose segments are swapped by one random bit each: trials of approximate
// randomization (Riezler and Maxwell 2005), many at once. Test:
// tests/unit/metrics/statistics/resampling_test.cpp, tests/unit/metrics/real_rows_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "metrics/measure.hpp"

namespace awend::metrics {

/// Immutable.
class Swaps {
 public:
  virtual ~Swaps() = default;
  /// The absolute difference of the systems in each of `samples` trials.  A trial has one bit per
  /// segment, the lowest of a word first, and begins where the one before it ends; a segment is
  /// swapped if its bit is 0.
  virtual std::vector<double> differences(std::span<const std::uint64_t> bits,
                                          std::size_t samples) const = 0;
};

/// For the systems at these places; the statistics and the metric must outlive it.
std::unique_ptr<Swaps> make_swaps(const CorpusStatistics& statistics, const Metric& metric,
                                  std::size_t first, std::size_t other);

}  // namespace awend::metrics
