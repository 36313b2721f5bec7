// The error rate of word alignments, compared with gold alignments that have sure and possible
// links (Och and Ney 2003). Test: tests/unit/metrics/alignment_error_rate_test.cpp.
#pragma once

#include "metrics/metric.hpp"

namespace awend::metrics {

/// Lines are alignments (text/word_alignment.hpp); a hypothesis has one reference.  What is not a
/// link is a base::Error.
class AlignmentErrorRate : public Metric {
 public:
  std::string name() const override { return "AER"; }
  std::size_t width() const override;
  /// In percent: 1 - (|A and S| + |A and P|) / (|A| + |S|) of the links A, the sure links S and the
  /// possible links P, which include the sure ones.  The details are precision, the share of links
  /// that are possible, and recall, that of sure links that were found.
  using Metric::score;
  Score score(std::span<const std::int64_t> sums) const override;
  std::vector<SignatureField> signature() const override { return {}; }
  std::unique_ptr<MetricWorker> make_worker() const override;
};

}  // namespace awend::metrics
