// The settings of a run of training.
#pragma once

#include <string>

#include "train/corpora.hpp"
#include "train/initial_weights.hpp"
#include "train/recipe.hpp"
#include "train/resets.hpp"
#include "train/task_view.hpp"

namespace awend::train {

struct RunSettings {
  CorporaFiles texts;
  std::string vocabulary;  ///< A vocabulary file.
  std::string output;      ///< The directory of the checkpoints; created if it does not exist.
  std::string cache;       ///< The directory of encoded corpora; empty: "cache" in `output`.
  /// The most tokens of a side in training; 0: as many as fit.
  std::uint32_t max_length = 0;
  InitialWeights init_from;  ///< Of a new run; an empty path: none.
  std::string
      resume_from;  ///< The checkpoint of another run that a new run continues; empty: none.
  Resets resets;    ///< What it does not take from there.
  /// The log of the whole run, with all interruptions; empty: "log.tsv" in `output`.
  std::string log;
  std::string log_output = {};  ///< Where its lines go as well: "-" is stdout; empty: nowhere.
  std::string device;
  unsigned threads = 0;  ///< Of the device cpu; 0: one for each core.
  model::Config config;  ///< Its vocabulary is set from the file.
  Recipe recipe;
  /// Names of the settings of the recipe that the user gave; others are from the preset.
  std::vector<std::string> requested = {};
  RunLimits limits;
  ShowTask show_task = show_nothing;
};

}  // namespace awend::train
