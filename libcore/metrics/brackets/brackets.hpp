// Labeled brackets: the agreement of parses, for section 6.3 of the paper, by the rules of evalb.
//
// A constituent is a label and the words that it spans; the constituents of hypothesis and
// reference are compared as multisets.  Tags are not constituents.  A label ends before its first
// '-' or '='; a root without a label counts, so it should have a deleted label, TOP.  Words with
// deleted tags, mainly punctuation, are removed first, and constituents that then span nothing are
// ignored.  A sentence whose two trees have different words is an error, and is ignored; one whose
// hypothesis has no words left is skipped.  In linearized trees words are counted, but not
// compared. Test: tests/unit/metrics/brackets/brackets_test.cpp.
#pragma once

#include "metrics/brackets/bracket_settings.hpp"
#include "metrics/metric.hpp"

namespace awend::metrics {

/// The values of evalb's summary; all except counts are in percent.
struct BracketReport {
  std::int64_t sentences = 0;  // compared sentences
  std::int64_t errors = 0, skipped = 0;
  double recall = 0, precision = 0, f1 = 0;
  double complete = 0;  // sentences without a wrong or missing constituent
  double tagging = 0;   // words with the right tag
};

/// A hypothesis has one reference.  A damaged tree is a base::Error "hypothesis: byte N: what" or
/// "reference: byte N: what".
class Brackets : public Metric {
 public:
  explicit Brackets(BracketSettings settings = {}) : settings_(std::move(settings)) {}

  std::string name() const override { return "bracket-F1"; }
  std::size_t width() const override;
  /// The value is F1 over all sentences; the details contain the rest, also for short sentences.
  using Metric::score;
  Score score(std::span<const std::int64_t> sums) const override;
  std::vector<SignatureField> signature() const override;
  std::unique_ptr<MetricWorker> make_worker() const override;

  enum class Sentences { kAll, kShort };  // kShort: up to the cut-off length
  BracketReport report(std::span<const std::int64_t> sums, Sentences which) const;

 private:
  BracketSettings settings_;
};

}  // namespace awend::metrics
