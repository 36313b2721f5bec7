// Scores of segments grouped by length, which show weaknesses that an average hides.
//
// Test: tests/unit/metrics/by_length_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "metrics/measure.hpp"

namespace awend::metrics {

/// Not a score: its row is the number of words of the first reference of the segment or of its
/// source, separated by white space, so that lengths are read together with the scores.
class SegmentLength : public Metric {
 public:
  enum class Of { kReference, kSource };
  explicit SegmentLength(Of of) : of_(of) {}

  std::string name() const override { return "length"; }
  std::size_t width() const override { return 1; }
  bool needs_references() const override { return of_ == Of::kReference; }
  using Metric::score;
  Score score(std::span<const std::int64_t> sums) const override;
  std::vector<SignatureField> signature() const override { return {}; }
  std::unique_ptr<MetricWorker> make_worker() const override;

 private:
  Of of_;
};

/// Segments of at least `first` words and at most `last`.
struct LengthGroup {
  std::int64_t first = 0;
  std::optional<std::int64_t> last = {};
  std::uint64_t segments = 0;
  std::vector<double> scores = {};  // indexed by CorpusStatistics::place(metric, system)

  /// "10-19", or "60-" for the last group.
  std::string name() const;
};

/// Groups that begin at 0 and at each of the increasing bounds; empty groups are omitted.  The
/// statistics must have kept their rows, and `lengths` has one number per segment.
std::vector<LengthGroup> by_length(const CorpusStatistics& statistics,
                                   std::span<const std::unique_ptr<Metric>> metrics,
                                   std::span<const std::int64_t> lengths,
                                   std::span<const std::int64_t> bounds);

}  // namespace awend::metrics
