// The options of score as a struct.
#pragma once

#include <cstdint>
#include <optional>

#include "cli/options.hpp"
#include "metrics/measure.hpp"
#include "metrics/report.hpp"

namespace awend::tools {

enum class Format { kText, kJson, kLatex, kTsv };
inline constexpr base::Word<Format> kFormatWords[] = {{Format::kText, "text"},
                                                      {Format::kJson, "json"},
                                                      {Format::kLatex, "latex"},
                                                      {Format::kTsv, "tsv"}};

// What to score and how to print it.
struct Request {
  metrics::Metrics metrics;
  metrics::CorpusFiles files;
  metrics::MeasureSettings measuring;
  std::optional<metrics::Sampling> confidence;
  std::optional<metrics::Sampling> test;
  Format format = Format::kText;
  metrics::TextStyle text;
};

/// That of --format or --json; as in sacreBLEU, $SACREBLEU_FORMAT in any case of letters, or text
/// if it is not known.  Throws UsageError for another --format.
Format format_of(const cli::Options& options);

/// The random seed; as in sacreBLEU, "none" requests a different one in each run.
std::optional<std::uint64_t> seed_of(const cli::Options& options);

/// The number of decimal places.  Neural metrics are numbers of about 1, not percentages, and have
/// more.
int digits_of(const cli::Options& options);

/// Throws UsageError for invalid options.
Request request_of(const cli::Options& options);

}  // namespace awend::tools
