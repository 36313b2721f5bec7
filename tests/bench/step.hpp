// A model and a batch of the step that is measured; the step in PyTorch (pytorch_step.py) has the
// same.
#pragma once

#include "cli/options.hpp"
#include "data/batch.hpp"
#include "train/recipe.hpp"

namespace awend::bench {

struct StepModel {
  model::Config config;
  train::Recipe recipe;  ///< Of a preset: with its clipping, for example.
  std::uint32_t sentences = 64;
  std::uint32_t length = 16;  ///< Tokens of each sentence, its end included, on both sides.

  std::uint32_t tokens() const { return sentences * length; }
};

/// Three layers of d_model 256 each, vocabulary 8000.
StepModel small_step();
/// The same with what the options change.
StepModel step_model(const cli::Options& options);

/// The recipe with batches of `step`.
train::Recipe recipe_of(const StepModel& step);

/// Random sentences, the same for every call.
batch::PackedBatch batch_of(const StepModel& step);

}  // namespace awend::bench
