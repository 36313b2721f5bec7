// Models that decode together, each with its share of what is said.
//
// Sizes and shapes may differ, the vocabulary may not: the distributions over it are mixed
// (nn/mixture.hpp), and a search sees one model.  Test: tests/properties/ensemble_test.cpp.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/seq2seq.hpp"
#include "nn/mixture.hpp"
#include "store/array_file.hpp"

namespace awend::decode {

/// A model whose weights are on a device.
class LoadedModel {
 public:
  /// Reads the weights.  Throws Error naming the checkpoint if it does not hold a model.
  LoadedModel(nn::Engine& engine, const store::ArrayFile& checkpoint, nn::Element precision);

  model::ModelView view() { return {&parameters_, seq2seq_.get()}; }
  nn::Parameters& parameters() { return parameters_; }
  const model::Seq2Seq& seq2seq() const { return *seq2seq_; }

 private:
  nn::Parameters parameters_;
  std::unique_ptr<model::Seq2Seq> seq2seq_;
};

struct EnsembleSettings {
  nn::Mixing mixing = nn::Mixing::kLinear;
  std::vector<double> weights = {};  ///< One for each model; none: all have equal shares.
};

/// Models owned by others, which may be in training.
struct Ensemble {
  std::vector<model::ModelView> members;
  nn::Mixing mixing = nn::Mixing::kLinear;
  std::vector<double> shares;  ///< Of each member; they sum to one.
};

/// An ensemble of one.
Ensemble alone(const model::ModelView& model);

/// Throws UsageError unless there is a weight for each model and one is above 0, Error if the
/// vocabularies are of different sizes.
Ensemble together(std::span<const std::unique_ptr<LoadedModel>> models,
                  const EnsembleSettings& settings);

}  // namespace awend::decode
