// The best point on a line in the space of weights, exactly (Och, 2003): along it, the sum of each
// candidate is a straight line, the chosen candidates are the upper envelope of these, and the
// score of a corpus is constant between the points where a choice changes.
//
// Test: tests/unit/metrics/rerank/weight_search_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "metrics/metric.hpp"
#include "metrics/rerank/candidate_features.hpp"

namespace awend::metrics {

/// Candidates of a development set.
struct TuningSet {
  CandidateFeatures features;
  std::vector<std::int64_t> statistics = {};  ///< (candidates, metric.width()), integers.
};

struct Point {
  double position = 0;  ///< On the line.
  double score = 0;
};

/// The position x at which weights + x * direction has the greatest score: the middle of the first
/// such interval, or 0 if its interval is one of them.
Point best_on_line(const TuningSet& set, const Metric& metric, std::span<const double> weights,
                   std::span<const double> direction);

/// The score of the candidates that these weights choose.
double score_of_choices(const TuningSet& set, const Metric& metric,
                        std::span<const double> weights);

}  // namespace awend::metrics
