// chrF and chrF++ (Popović 2015, 2017), to the digit that sacreBLEU prints: an F-score, in which
// recall has β² times the weight, over n-grams of characters and, in chrF++, of words.
//
// Of several references, the first one with the greatest F of a segment is used; so the score of a
// corpus can depend on their order.  Test: tests/unit/metrics/chrf/chrf_test.cpp, against outputs
// of sacreBLEU and the published scores of WMT.
#pragma once

#include "metrics/metric.hpp"

namespace awend::metrics {

/// The greatest weight of recall.
inline constexpr std::int64_t kMaxBeta = 1000;

struct ChrfSettings {
  int char_order = 6;
  int word_order = 0;  // 2 in chrF++
  int beta = 2;
  bool lowercase = false;
  bool whitespace = false;     // include white space in the characters
  bool eps_smoothing = false;  // the mean of F over all orders, as in chrF++.py
};

/// The statistics of a segment are three numbers per order, those of characters first: n-grams in
/// the hypothesis (0 if the reference has none of that order), in the reference, and in both.
class Chrf : public Metric {
 public:
  /// Throws UsageError for an order outside [0, kMaxOrder] or a weight outside [0, kMaxBeta].
  explicit Chrf(ChrfSettings settings = {});

  std::string name() const override;
  std::size_t width() const override { return 3 * orders(); }
  using Metric::score;
  Score score(std::span<const std::int64_t> sums) const override;
  double resampled_value(std::span<const std::int64_t> sums) const override;
  std::vector<SignatureField> signature() const override;
  std::unique_ptr<MetricWorker> make_worker() const override;
  std::unique_ptr<PairwiseScorer> make_pairwise_scorer() const override;

 private:
  std::size_t orders() const;
  template <class Float>
  double f_score(std::span<const std::int64_t> sums) const;

  ChrfSettings settings_;
};

}  // namespace awend::metrics
