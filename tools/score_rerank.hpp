// score --rerank: the candidate of each line with the greatest weighted sum of features, and the
// search for weights.  Test: tests/cli/rerank.sh.
#pragma once

#include "cli/options.hpp"

namespace awend::tools {

/// Throws UsageError for options without effect, and Error for bad lists, features or weights.
void choose_by_features(const cli::Options& options);

}  // namespace awend::tools
