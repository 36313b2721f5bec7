// The metrics requested by the options of score.
#pragma once

#include "cli/options.hpp"
#include "metrics/measure.hpp"

namespace awend::tools {

/// The names given to --metric, normalized: "BLEU" becomes bleu, "chrF2" becomes chrf; or the
/// metric of --mbr.  Throws UsageError for an unknown name.
std::vector<std::string> metric_names(const cli::Options& options);

/// The names that --metric accepts.
std::vector<std::string_view> known_metrics();

/// Those of --mbr, which score single lines.
inline constexpr std::string_view kUtilityNames[] = {"chrf", "chrf++", "bleu", "comet"};

inline constexpr std::string_view kTokenizerNames[] = {
    "13a",  "intl", "zh",        "ja-mecab",  "ko-mecab", "char",
    "none", "spm",  "flores101", "flores200", "spBLEU-1K"};

/// Whether a word is a name of --metric, or several separated by commas.
bool is_metric_list(std::string_view word);

/// The metrics in printing order, whatever the order of --metric.  --sentence and --mbr enable the
/// effective order of BLEU.  Throws UsageError for invalid options.
metrics::Metrics metrics_of(const cli::Options& options);

}  // namespace awend::tools
