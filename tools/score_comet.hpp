// Neural metrics of score: COMET with references, and quality estimation without.  Test:
// tests/cli/comet.sh.
#pragma once

#include <memory>

#include "cli/options.hpp"
#include "metrics/corpus.hpp"
#include "metrics/metric.hpp"

namespace awend::tools {

/// Whether a metric reads sources.
bool needs_source(const cli::Options& options);
/// Whether a metric reads references.
bool needs_references(const cli::Options& options);

/// Throws Error that names two files with different numbers of lines; for metrics that take long.
/// Pipes are not read.
void require_equal_line_counts(const metrics::CorpusFiles& files);

/// Open the model.  Throw Error naming it if it is not a metric of this kind, and UsageError if
/// there are several references.
std::unique_ptr<metrics::Metric> make_comet(const cli::Options& options);
std::unique_ptr<metrics::Metric> make_comet_qe(const cli::Options& options);

/// COMET of all pairs of translations of a source, each of which is encoded once.
class CometPairs : public metrics::PairwiseScorer {
 public:
  /// The source of the texts that follow.
  virtual void set_source(std::string_view source) = 0;
  /// A remark on the work so far.
  virtual std::string note() const = 0;
};

/// Opens the model.  Throws Error naming it if it is not a metric that encodes each text alone.
std::unique_ptr<CometPairs> make_comet_pairs(const cli::Options& options);

}  // namespace awend::tools
