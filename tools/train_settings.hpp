// What the options of train say of the model, the recipe and the course; options that are not given
// leave the preset's values.  Test: tests/cli/train_config.sh.
#pragma once

#include "base/options.hpp"
#include "train/run.hpp"

namespace awend::tools {

/// Throws UsageError for a value that cannot be.
train::Preset preset_of(const base::Options& options);

/// All settings that decide a run, as --config reads them.
std::string dumped(const train::Preset& preset);

}  // namespace awend::tools
