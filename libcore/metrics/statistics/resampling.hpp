// Scores of randomly resampled corpora, computed only from the statistics of the segments.
//
// A bootstrap (Koehn 2004) samples as many segments as there are, with replacement, the same for
// all systems.  Approximate randomization (Riezler and Maxwell 2005) swaps segments of two systems
// at random.  The random numbers are those of numpy's generator, in sequence; the sums are
// computed on several threads.  Test: tests/unit/metrics/statistics/resampling_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "metrics/measure.hpp"

namespace awend::metrics {

/// Settings that do not affect the scores.
struct SampleWork {
  unsigned threads = 1;
  /// Called regularly with the number of completed samples.
  std::function<void(std::uint64_t samples)> progress = {};
};

struct Resampling {
  std::uint64_t samples = 1000;
  std::uint64_t seed = 12345;
  SampleWork work = {};
};

/// The scores of each sample: [CorpusStatistics::place(metric, system)][sample].  Requires: the
/// rows were kept.
std::vector<std::vector<double>> bootstrap(const CorpusStatistics& statistics,
                                           const Metrics& metrics, const Resampling& resampling);

/// The absolute difference of the scores of the first system and each other system after swaps, at
/// the place of the other system; nothing at the place of the first.
std::vector<std::vector<double>> swapped_differences(const CorpusStatistics& statistics,
                                                     const Metrics& metrics,
                                                     const Resampling& resampling);

}  // namespace awend::metrics
