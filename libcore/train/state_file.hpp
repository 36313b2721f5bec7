// The training state of a checkpoint: the moments, the weights if the checkpoint has their
// moving average, the state of the run, and the settings that must be the same when it resumes.
//
// Test: tests/learn/resume_test.cpp.
#pragma once

#include <string>

#include "nn/parameters.hpp"
#include "store/array_file.hpp"
#include "train/run_state.hpp"

namespace awend::train {

/// What a checkpoint saves.
struct SavedRun {
  const nn::Parameters& parameters;
  const RunState& state;
  const Identity& identity;
};

/// Writes the file atomically.  `weights_digest` is that of the weights file that the state belongs
/// to (store::ArrayWriter::digest()).
void save_state(const std::string& path, const SavedRun& run, const std::string& weights_digest);

class StateFile {
 public:
  explicit StateFile(const std::string& path) : file_(path) {}

  /// Throws Error naming the file and what is missing or invalid.
  RunState run_state() const;

  /// Throws Error naming the file if it or `weights` is damaged, or if they belong to different
  /// checkpoints.
  void require_whole(const store::ArrayFile& weights) const;

  /// The settings of the recipe; names are those of recipe_fields().
  store::Settings recipe() const;
  /// These throw Error naming the file and the setting that differs.
  void require_same_recipe(const Recipe& recipe) const;
  void require_same_corpus(const Identity& identity) const;
  /// The position in the corpus is only valid if the batches are the same.
  void require_same_batches(const Identity& identity) const;

  void load_moments(nn::Parameters& parameters) const;
  /// Loads the weights of training and their average; `weights` is the weights file of the
  /// checkpoint.
  void load_values(const store::ArrayFile& weights, nn::Parameters& parameters) const;

 private:
  store::ArrayFile file_;
};

}  // namespace awend::train
