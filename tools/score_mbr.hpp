// score --mbr: the candidate of each line with the greatest expected score.  Test:
// tests/cli/mbr.sh, tests/cli/comet.sh.
#pragma once

#include "cli/options.hpp"

namespace awend::tools {

/// Throws UsageError for options without effect, and Error for a bad list.
void choose_by_metric(const cli::Options& options);

}  // namespace awend::tools
