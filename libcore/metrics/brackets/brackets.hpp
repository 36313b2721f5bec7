// Labelled brackets: how well parses agree, for the paper's section 6.3, by evalb's rules.
//
// A constituent is its label and the words it spans; those of the hypothesis are compared with
// those of the reference as multisets.  Tags are no constituents.  A label ends before its first
// '-' or '='; a root without a label counts, so it should have one that is deleted, TOP.  Words of
// deleted tags, punctuation above all, are taken out first, and what then spans nothing does not
// count.  A sentence whose two trees do not have the same words is in error, and is left out; one
// of whose hypothesis no word is left is skipped.  In linearised trees words are counted, not
// compared.  Test: tests/unit/metrics/brackets_test.cpp.
#pragma once

#include "metrics/brackets/settings.hpp"
#include "metrics/metric.hpp"

namespace awend::metrics {

/// What evalb's summary says; all but counts are per cent.
struct BracketReport {
  std::int64_t sentences = 0;  // that were compared
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
  /// The value is F1 of all sentences; the details say the rest, for short sentences too.
  Score score(std::span<const std::int64_t> sums) const override;
  std::vector<SignatureField> signature() const override;
  std::unique_ptr<MetricWorker> make_worker() const override;

  enum class Sentences { kAll, kShort };  // kShort: up to the cut-off length
  BracketReport report(std::span<const std::int64_t> sums, Sentences which) const;
  /// True where evalb would give up.
  bool too_many_errors(std::span<const std::int64_t> sums) const;

 private:
  BracketSettings settings_;
};

}  // namespace awend::metrics
