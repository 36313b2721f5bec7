// TER (Snover et al. 2006), to the digit that sacreBLEU prints: the edits from a hypothesis to the
// closest of its references, divided by the mean length of the references.
//
// Test: tests/unit/metrics/ter/ter_test.cpp, against outputs of sacreBLEU.
#pragma once

#include "metrics/metric.hpp"
#include "metrics/ter/words.hpp"

namespace awend::metrics {

/// The statistics of a segment are two real numbers: edits, and the mean length of its references.
class Ter : public Metric {
 public:
  explicit Ter(TerSettings settings = {}) : settings_(settings) {}

  std::string name() const override { return "TER"; }
  std::size_t width() const override { return 2; }
  bool has_real_rows() const override { return true; }
  using Metric::score;
  Score score(std::span<const std::int64_t> sums) const override;
  double resampled_value(std::span<const std::int64_t> sums) const override;
  std::vector<SignatureField> signature() const override;
  std::unique_ptr<MetricWorker> make_worker() const override;

 private:
  TerSettings settings_;
};

}  // namespace awend::metrics
