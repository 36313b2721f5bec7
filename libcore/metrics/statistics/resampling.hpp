// Scores of corpora that chance puts together, from the statistics of the segments alone.
//
// A bootstrap (Koehn 2004) draws as many segments as there are, with repetition, and all systems
// get the same ones.  Approximate randomisation (Riezler and Maxwell 2005) swaps two systems'
// segments by the throw of a coin.  The draws are those of numpy's generator, one after the other;
// the sums are taken on several threads.  Test: tests/unit/metrics/resampling_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "metrics/measure.hpp"

namespace awend::metrics {

/// How samples are worked on, which is nothing to their scores.
struct SampleWork {
  unsigned threads = 1;
  /// Called now and then with the number of samples that are done.
  std::function<void(std::uint64_t samples)> progress = {};
};

struct Resampling {
  std::uint64_t samples = 1000;
  std::uint64_t seed = 12345;
  SampleWork work = {};
};

/// The scores of each sample: [CorpusStatistics::place(metric, system)][sample].  The rows were
/// kept.
std::vector<std::vector<double>> bootstrap(const CorpusStatistics& statistics,
                                           const Metrics& metrics, const Resampling& resampling);

/// How far apart the first system and another are after swaps, as an absolute number, at the
/// other's place; nothing at the first one's.
std::vector<std::vector<double>> swapped_differences(const CorpusStatistics& statistics,
                                                     const Metrics& metrics,
                                                     const Resampling& resampling);

}  // namespace awend::metrics
