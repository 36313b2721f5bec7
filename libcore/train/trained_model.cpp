#include "train/trained_model.hpp"

#include <fnmatch.h>

#include <exception>

#include "base/error.hpp"
#include "model/architectures.hpp"
#include "nn/graph.hpp"
#include "nn/operations.hpp"
#include "train/setting_names.hpp"

namespace awend::train {

TrainedModel::TrainedModel(nn::Engine& engine, const model::Config& config, const Recipe& recipe)
    : model_(model::make_model(config, parameters_)) {
  freeze(recipe.freeze);
  parameters_.allocate(engine, nn::Use::kTraining, recipe.precision);
  parameters_.initialize(recipe.seed, recipe.initializer);
  if (recipe.ema_decay == 0) return;
  parameters_.keep_average();
  if (!parameters_.keeps_operands()) return;
  narrowing_ = std::make_unique<nn::Program>(engine);
  nn::narrow_operands(*narrowing_, parameters_);
  narrowing_->compile();
}

model::Seq2SeqView TrainedModel::seq2seq_view() {
  return {&parameters_, &model::require_seq2seq(*model_)};
}

void TrainedModel::freeze(const std::vector<std::string>& patterns) {
  std::vector<bool> used(patterns.size());
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    bool matches = false;
    for (std::size_t p = 0; p < patterns.size(); ++p) {
      if (::fnmatch(patterns[p].c_str(), parameters_.name(i).c_str(), 0) != 0) continue;
      matches = used[p] = true;
    }
    if (matches) parameters_.freeze(i);
  }
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    if (!used[p]) {
      base::fail(kFrozen, ": ", patterns[p], " matches no parameter; the first is called ",
                 parameters_.name(0));
    }
  }
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (parameters_.trains(parameters_.parameter(i))) return;
  }
  base::fail(kFrozen, " leaves no parameter to train");
}

TrainedModel::SwappedAverage::~SwappedAverage() {
  try {
    restore();
  } catch (const std::exception&) {  // the exception that ends the scope has the cause
  }
}

void TrainedModel::SwappedAverage::restore() {
  if (!is_swapped_) return;
  is_swapped_ = false;
  model_.swap_average();
}

void TrainedModel::swap_average() {
  if (!parameters_.keeps_average()) return;
  parameters_.swap_average();
  if (narrowing_) narrowing_->replay();
}

}  // namespace awend::train
