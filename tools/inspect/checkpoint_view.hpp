// The contents of a checkpoint: the settings of the model, its parameters by part, the training,
// and the vocabulary.  Test: tests/cli/inspect.sh.
#pragma once

#include <optional>
#include <string>

#include "inspect/parameters.hpp"
#include "inspect/state_view.hpp"
#include "model/config.hpp"
#include "text/vocabulary.hpp"

namespace awend::tools {

/// Everything that is displayed.
struct CheckpointFacts {
  std::string path;
  std::uint64_t bytes = 0;
  std::optional<std::string> step;     ///< Updates, according to the file.
  std::optional<std::string> average;  ///< The names of the averaged files, one per line.
  model::Config config;
  std::vector<store::Array> arrays;  ///< Without their bytes.
  Survey survey;
  std::optional<text::Vocabulary> vocabulary;
  std::optional<text::Vocabulary> source_vocabulary = {};  ///< If the source has its own.
  std::optional<TrainingState> state;
  std::optional<store::Settings> search = {};     ///< Defaults of translate, of converted models.
  std::optional<store::Settings> shortlist = {};  ///< Of the lexical shortlist.
  std::optional<store::Settings> scales = {};     ///< Fixed scales of 8-bit products, by matrix.
  std::optional<store::Settings> recipe;  ///< Older checkpoints have it only in their state.
};

/// Throws Error naming the file if it is not a checkpoint, or if the state next to it is damaged.
CheckpointFacts facts_of_checkpoint(const std::string& path, cli::Progress* progress = nullptr);

std::string text_of(const CheckpointFacts& facts, Detail detail);
std::string json_of(const CheckpointFacts& facts);

}  // namespace awend::tools
