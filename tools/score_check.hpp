// Checks for combinations of options of score that have no effect or contradict each other.
#pragma once

#include "cli/options.hpp"

namespace awend::tools {

/// Throws UsageError that names the option required by another one.
void check_score_options(const cli::Options& options);

}  // namespace awend::tools
