// A model in training: its parameters with gradients and moments on a device.
#pragma once

#include "model/transformer.hpp"
#include "train/recipe.hpp"

namespace awend::train {

class TrainedModel {
 public:
  /// Values are drawn from the recipe's seed.
  TrainedModel(nn::Engine& engine, const model::Config& config, const Recipe& recipe)
      : transformer_(config, parameters_) {
    parameters_.allocate(engine, nn::Use::kTraining, recipe.precision);
    parameters_.initialise(recipe.seed);
  }

  nn::Parameters& parameters() { return parameters_; }
  const model::Transformer& transformer() const { return transformer_; }

 private:
  nn::Parameters parameters_;
  model::Transformer transformer_;
};

}  // namespace awend::train
