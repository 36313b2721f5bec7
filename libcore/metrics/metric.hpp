// The interface of metrics, so that reading, threads, bootstrap tests and printing are shared: a
// segment has a row of numbers, the rows of a corpus are added, and a score is a function of the
// sum.
//
//   const std::vector<std::string> hypotheses = {"a dog runs"}, references = {"the dog runs"};
//   const double bleu = awend::metrics::Bleu().score(hypotheses, references).value;
//
// Threads: a Metric does not change, and any number of threads may use one.  A MetricWorker belongs
// to one thread.  Cost: BLEU and chrF score some hundred thousand lines per second and thread, TER
// fewer; a metric with a tokenizer reads its model when it is made.
// Test: tests/unit/metrics/metric_test.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace awend::metrics {

/// One field of a signature: "case:mixed", short "c:mixed".
struct SignatureField {
  std::string name;     // "case"
  std::string letters;  // "c"
  std::string value;    // "mixed"
};

struct Score {
  double value = 0;
  /// Text after the score on a line, or empty: "61.7/35.1/22.5/14.1 (BP = ...)".
  std::string details = {};
};

struct CorpusChunk;

/// The state of one thread.
class MetricWorker {
 public:
  virtual ~MetricWorker() = default;
  /// Called before the segments of a chunk are measured, in order and each for all systems, for
  /// metrics that compute many at once.
  virtual void prepare(const CorpusChunk& /*chunk*/) {}
  /// Sets the references of the segment whose hypotheses follow; there is at least one, and they
  /// must outlive the hypotheses.  They are processed once for all systems.
  virtual void set_references(std::span<const std::string_view> references) = 0;
  /// Writes the statistics of a hypothesis; `statistics` has Metric::width() numbers.
  virtual void measure(std::string_view hypothesis, std::span<std::int64_t> statistics) = 0;
};

/// The longest n-grams that metrics count.
inline constexpr std::int64_t kMaxOrder = 32;

/// The scores of pairs of texts; belongs to one thread.
class PairwiseScorer {
 public:
  virtual ~PairwiseScorer() = default;
  /// Sets values[i * references.size() + k] to the score of hypothesis i against reference k alone.
  /// It is faster if both lists are the same object.
  virtual void score(std::span<const std::string_view> hypotheses,
                     std::span<const std::string_view> references, std::span<double> values) = 0;
};

/// A metric with its settings.  Immutable.
class Metric {
 public:
  virtual ~Metric() = default;

  /// The score of a corpus, as the program score prints it: line i is the reference of hypothesis
  /// i.  Throws UsageError if there are not as many.  Uses one thread.
  Score score(std::span<const std::string> hypotheses,
              std::span<const std::string> references) const;
  /// The same with several references of each line: one list of lines for each.
  Score score(std::span<const std::string> hypotheses,
              std::span<const std::vector<std::string>> references) const;

  virtual std::string name() const = 0;  // "BLEU", "chrF2++", "TER"
  /// True if the metric itself handles white space at the end of a line; otherwise its worker gets
  /// lines without the trailing white space of Python.
  virtual bool reads_whole_lines() const { return false; }
  /// Whether references are compared with; otherwise there may be none.
  virtual bool needs_references() const { return true; }
  /// The number of statistics per segment.
  virtual std::size_t width() const = 0;
  /// True if rows contain real numbers, as stored by metrics/real_rows.hpp, which are added in the
  /// order of segments; otherwise they contain integers, whose sums are exact.
  virtual bool has_real_rows() const { return false; }
  /// The score for a sum of statistics.
  virtual Score score(std::span<const std::int64_t> sums) const = 0;
  /// The value of the score.
  virtual double value(std::span<const std::int64_t> sums) const { return score(sums).value; }
  /// The value for a bootstrap sample.  sacreBLEU stores such sums in 32-bit floats, which are
  /// exact, and so the quotients of a metric are 32-bit floats.
  virtual double resampled_value(std::span<const std::int64_t> sums) const { return value(sums); }
  /// The fields of this metric, without nrefs, bootstrap and version.
  virtual std::vector<SignatureField> signature() const = 0;
  /// The metric must outlive the worker.
  virtual std::unique_ptr<MetricWorker> make_worker() const = 0;
  /// A remark on the work of all workers so far, for users who ask for details; empty if none.
  virtual std::string note() const { return {}; }
  /// The metric must outlive the scorer, which uses a worker unless there is a faster way.
  virtual std::unique_ptr<PairwiseScorer> make_pairwise_scorer() const;
};

}  // namespace awend::metrics
