// Decoding by a metric (minimum Bayes risk): the candidate with the greatest expected score, the
// mean of its scores against texts that represent the distribution of the model, such as samples
// (Kumar and Byrne, 2004; Eikema and Aziz, 2020).
//
// Test: tests/unit/metrics/mbr/pairwise_test.cpp.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "metrics/metric.hpp"

namespace awend::metrics {

struct WeightedText {
  std::string_view text;
  double weight = 1;  ///< As a reference; at least 0, and greater for one of them.
};

/// The weighted mean of the scores of each candidate against the references, which may be the
/// candidates.  Equal texts are scored once; a reference counts as often as it occurs.
std::vector<double> expected_utilities(PairwiseScorer& scorer,
                                       std::span<const WeightedText> candidates,
                                       std::span<const WeightedText> references);

/// Differences of utilities up to this are rounding errors.
inline constexpr double kEqualUtilities = 1e-9;

/// The first of the candidates whose utility is the greatest, up to kEqualUtilities.  Requires:
/// there is one.
std::size_t best_candidate(std::span<const double> utilities);

}  // namespace awend::metrics
