// The contents of a training state: the progress of a run and the moments of the optimizer, next to
// the model file with its weights.  Test: tests/cli/inspect.sh.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/array_file.hpp"
#include "store/stored_settings.hpp"
#include "train/run_state.hpp"

namespace awend::tools {

enum class Detail { kParts, kArrays };

struct TrainingState {
  std::string path;
  train::RunState run;
};

/// Throws Error naming the file if its progress is damaged.
TrainingState training_state_of(const store::ArrayFile& file);

/// The settings that the run was started with, if the file has them.
std::optional<store::Settings> recipe_of(const store::ArrayFile& file);

/// Time, updates and best validations, a line for each.
std::string training_text(const TrainingState& state);
std::string training_json(const TrainingState& state);

/// A file that is a training state.
struct StateFacts {
  TrainingState state;
  std::uint64_t bytes = 0;
  std::string model;         ///< The path of the model file of the same step.
  bool has_model = false;    ///< Whether that exists.
  bool has_weights = false;  ///< Next to the moments, because the model file has their average.
  std::vector<store::Array> arrays;  ///< Without their bytes.
  std::optional<store::Settings> recipe;
};

/// Nothing if the file is not a training state.
std::optional<StateFacts> facts_of_state(const std::string& path);

std::string text_of(const StateFacts& facts, Detail detail);
std::string json_of(const StateFacts& facts);

/// An empty line, and a heading.
std::string heading(std::string_view word);

/// The size of a file in bytes; Error naming it.
std::uint64_t file_bytes(const std::string& path);

}  // namespace awend::tools
