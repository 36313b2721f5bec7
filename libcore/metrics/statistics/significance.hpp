// What samples say: how sure a score is, and whether two systems differ.
//
// Each number is sacreBLEU's to the last bit, so sums are taken in its order: one mean exactly, the
// other as numpy takes it.  Test: tests/unit/metrics/resampling_test.cpp.
#pragma once

#include <vector>

#include "metrics/report.hpp"
#include "metrics/statistics/resampling.hpp"
#include "metrics/table.hpp"

namespace awend::metrics {

/// The mean, correct to the last bit.  REQUIRES: there is a number.
double exact_mean(const std::vector<double>& numbers);

/// The mean as numpy's pairwise sums give it.
double pairwise_mean(const std::vector<double>& numbers);

/// Of the scores of samples, in any order.
Confidence confidence_of(std::vector<double> scores, double (*mean)(const std::vector<double>&));

/// How often chance does as much as was seen: of the differences, those that exceed it, and one
/// more of each.
double p_value(const std::vector<double>& differences, double seen);

/// How sure a single system's score is, by metric.
std::vector<Confidence> confidences(const CorpusStatistics& statistics, const Metrics& metrics,
                                    const Sampling& sampling, const SampleWork& work);

/// Every system's scores, compared with those of the first one.  The names are left empty.
std::vector<SystemScores> compare_systems(const CorpusStatistics& statistics,
                                          const Metrics& metrics,
                                          const std::optional<Sampling>& test,
                                          const SampleWork& work);

}  // namespace awend::metrics
