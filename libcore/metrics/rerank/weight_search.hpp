// Weights of features that maximize the score of the chosen candidates of a development set, by
// minimum error rate training (Och, 2003): line searches along each feature and along random
// directions, from several starts.
//
// Test: tests/unit/metrics/rerank/weight_search_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "metrics/rerank/line_search.hpp"

namespace awend::metrics {

struct WeightSearch {
  std::vector<double> start = {};  ///< Of the first search; one for each feature.
  std::size_t starts = 8;          ///< Searches; the others start at random weights.
  std::uint64_t seed = 1;
  unsigned threads = 1;
};

struct FoundWeights {
  /// The sum of their magnitudes is 1, unless all are 0; that of a feature that is the same for all
  /// candidates of each list is 0.
  std::vector<double> weights;
  double score = 0;
  double start_score = 0;  ///< That of the first start.
};

/// The best weights of all searches, and those of the first of equally good ones.  The result does
/// not depend on the number of threads.  Requires: a list and a feature.
FoundWeights search_weights(const TuningSet& set, const Metric& metric, const WeightSearch& search);

}  // namespace awend::metrics
