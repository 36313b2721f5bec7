// Settings of the model that have no effect without a value of another one, such as --mask-rate
// without pre-training.  Test: tests/cli/train_config.sh.
#pragma once

#include "cli/options.hpp"
#include "model/config.hpp"

namespace awend::tools {

/// Throws UsageError if an option sets a setting without effect to another value than that of
/// `defaults`, which a dumped configuration may contain.  Those that had an effect in `inherited`,
/// the model of a preset or checkpoint, get their defaults.
void settle_dependent_settings(const cli::Options& options, const model::Config& defaults,
                               const model::Config& inherited, model::Config& config);

}  // namespace awend::tools
