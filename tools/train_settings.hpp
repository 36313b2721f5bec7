// Model, optimizer and run settings from the options of train.  Options that are not given keep the
// values of the preset.  Test: tests/cli/train_config.sh.
#pragma once

#include <string>

#include "cli/options.hpp"
#include "field_options.hpp"
#include "train/recipe.hpp"

namespace awend::tools {

/// Adds the options for all settings of the model and the training.
void add_field_options(OptionTable& table);

/// Whether there is a run in the directory, which train resumes.
bool has_checkpoints(const std::string& directory);

/// The file that --vocabulary names, of a directory of train its checkpoint.
std::string vocabulary_file(const std::string& path);

/// Throws UsageError for an invalid value.
train::Preset preset_of(const cli::Options& options);

/// All effective settings, in the format of --config.
std::string dumped(const cli::Options& options, const train::Preset& preset);

}  // namespace awend::tools
