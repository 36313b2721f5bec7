// What all metrics have in common, so that reading, threads, bootstrap tests and printing are
// written once: a segment gives a row of numbers, rows add up to a corpus, and a score is a
// function of such a sum.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace awend::metrics {

/// One thing that a signature says: "case:mixed", short "c:mixed".
struct SignatureField {
  std::string name;     // "case"
  std::string letters;  // "c"
  std::string value;    // "mixed"
};

struct Score {
  double value = 0;
  /// What stands behind the number on a text line, or nothing: "61.7/35.1/22.5/14.1 (BP = ...)".
  std::string details = {};
};

/// The work of one thread.
class MetricWorker {
 public:
  virtual ~MetricWorker() = default;
  /// The references of the segment whose hypotheses follow; there is at least one, and they live as
  /// long.  They are looked at once, however many systems are scored.
  virtual void set_references(std::span<const std::string_view> references) = 0;
  /// Writes the statistics of a hypothesis; `statistics` has Metric::width() numbers.
  virtual void measure(std::string_view hypothesis, std::span<std::int64_t> statistics) = 0;
};

/// A metric with its settings.  Immutable.
class Metric {
 public:
  virtual ~Metric() = default;
  virtual std::string name() const = 0;  // "BLEU", "chrF2++", "TER"
  /// True where white space at the end of a line is for the metric to judge; otherwise its worker
  /// gets lines without what Python takes for white space there.
  virtual bool reads_whole_lines() const { return false; }
  /// How many numbers a segment gives.
  virtual std::size_t width() const = 0;
  /// True where rows hold real numbers, as metrics/real_rows.hpp stores them, and are added in the
  /// order of segments; otherwise they hold whole numbers, whose sums are exact.
  virtual bool has_real_rows() const { return false; }
  /// The score of statistics that were added up.
  virtual Score score(std::span<const std::int64_t> sums) const = 0;
  /// Its number alone.
  virtual double value(std::span<const std::int64_t> sums) const { return score(sums).value; }
  /// The number for a sample of a bootstrap.  sacreBLEU holds such sums in floats of 32 bits, which
  /// are exact, and so a metric that divides one by another has a quotient of 32 bits.
  virtual double resampled_value(std::span<const std::int64_t> sums) const { return value(sums); }
  /// The fields of its own, without nrefs, bootstrap and version.
  virtual std::vector<SignatureField> signature() const = 0;
  /// True where more is better.
  virtual bool higher_is_better() const { return true; }
  virtual std::unique_ptr<MetricWorker> make_worker() const = 0;
};

}  // namespace awend::metrics
