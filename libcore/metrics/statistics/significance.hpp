// Statistics of samples: confidence intervals of scores, and significance of the difference of two
// systems.
//
// Each number equals that of sacreBLEU in all bits, so sums are computed in its order: one mean
// exactly, the other as in numpy.  Test: tests/unit/metrics/statistics/resampling_test.cpp.
#pragma once

#include <vector>

#include "metrics/report.hpp"
#include "metrics/statistics/resampling.hpp"
#include "metrics/table.hpp"

namespace awend::metrics {

/// The mean, correctly rounded.  Requires: at least one number.
double exact_mean(const std::vector<double>& numbers);

/// The mean by numpy's pairwise sums.
double pairwise_mean(const std::vector<double>& numbers);

/// The interval of the scores of samples, in any order.
Confidence confidence_of(std::vector<double> scores, double (*mean)(const std::vector<double>&));

/// The p-value: the share of the differences that exceed the observed one, with one added to both
/// counts.
double p_value(const std::vector<double>& differences, double seen);

/// The confidence of the scores of a single system, by metric.
std::vector<Confidence> confidences(const CorpusStatistics& statistics, const Metrics& metrics,
                                    const Sampling& sampling, const SampleWork& work);

/// The scores of every system, compared with those of the first.  Names are empty.
std::vector<SystemScores> compare_systems(const CorpusStatistics& statistics,
                                          const Metrics& metrics,
                                          const std::optional<Sampling>& test,
                                          const SampleWork& work);

}  // namespace awend::metrics
