// A model in training: parameters, gradients and moments on a device, and optionally a moving
// average of the parameters, which validations use and checkpoints contain.  Test:
// tests/learn/start_test.cpp.
#pragma once

#include <memory>

#include "model/seq2seq.hpp"
#include "train/recipe.hpp"

namespace awend::train {

class TrainedModel {
 public:
  /// Initializes the values with the recipe's seed.  Throws Error if a pattern of recipe.freeze
  /// matches no parameter, or if all parameters are frozen.
  TrainedModel(nn::Engine& engine, const model::Config& config, const Recipe& recipe);

  model::ModelView view() { return {&parameters_, model_.get()}; }
  /// Throws Error if the model does not generate text.
  model::Seq2SeqView seq2seq_view();
  nn::Parameters& parameters() { return parameters_; }
  const model::Model& model() const { return *model_; }

  /// Calls `evaluate` while the weights are their moving average, if there is one.  The weights are
  /// restored in any case.
  template <class Evaluate>
  auto with_average(Evaluate evaluate) {
    SwappedAverage swapped(*this);
    auto result = evaluate();
    swapped.restore();
    return result;
  }

 private:
  /// Swaps weights and average until restore() or the end of the scope.
  class SwappedAverage {
   public:
    explicit SwappedAverage(TrainedModel& model) : model_(model) { model_.swap_average(); }
    SwappedAverage(const SwappedAverage&) = delete;
    SwappedAverage& operator=(const SwappedAverage&) = delete;
    ~SwappedAverage();
    void restore();

   private:
    TrainedModel& model_;
    bool is_swapped_ = true;
  };
  void freeze(const std::vector<std::string>& patterns);
  void swap_average();

  nn::Parameters parameters_;
  std::unique_ptr<model::Model> model_;
  std::unique_ptr<nn::Program> narrowing_;  // with 16-bit operands and an average
};

}  // namespace awend::train
