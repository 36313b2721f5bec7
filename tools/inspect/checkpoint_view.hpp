// What a checkpoint holds: the model's settings, its parameters by part, the training that made it,
// and its vocabulary.  Test: tests/cli/inspect.sh.
#pragma once

#include <optional>
#include <string>

#include "inspect/parameters.hpp"
#include "inspect/state_view.hpp"
#include "model/config.hpp"
#include "text/vocabulary.hpp"

namespace awend::tools {

/// All that there is to say.
struct CheckpointFacts {
  std::string path;
  std::uint64_t bytes = 0;
  std::optional<std::string> step;     ///< Updates, as the file says.
  std::optional<std::string> average;  ///< The names of the files whose mean this is, one a line.
  model::Config config;
  std::vector<store::Array> arrays;  ///< Without their bytes.
  Survey survey;
  std::optional<text::Vocabulary> vocabulary;
  std::optional<TrainingState> state;
  std::optional<store::Settings> recipe;  ///< Older checkpoints have it in their state only.
};

/// Throws Error naming the file if it is not a checkpoint, or if what lies beside it is damaged.
CheckpointFacts facts_of_checkpoint(const std::string& path, base::Progress* progress = nullptr);

std::string text_of(const CheckpointFacts& facts, Detail detail);
std::string json_of(const CheckpointFacts& facts);

}  // namespace awend::tools
