// Ensembles: models that decode together, with a weight each.
//
// Architectures and sizes may differ, but the vocabulary must be the same: the distributions over
// it are mixed (nn/mixture.hpp), so that a search uses the ensemble like one model.  Test:
// tests/properties/ensemble_test.cpp.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "decode/open_options.hpp"
#include "model/seq2seq.hpp"
#include "nn/mixture.hpp"
#include "store/array_file.hpp"

namespace awend::decode {

/// A model whose weights are on a device, or in the mapped file of its checkpoint.
class LoadedModel {
 public:
  /// Reads the weights.  The checkpoint must outlive the object, unless it is moved to it.  Throws
  /// Error naming the checkpoint if it is not a valid model.
  LoadedModel(nn::Engine& engine, const store::ArrayFile& checkpoint, nn::Element precision);
  LoadedModel(nn::Engine& engine, store::ArrayFile&& checkpoint, nn::Element precision);

  model::Seq2SeqView view() { return {&parameters_, seq2seq_.get()}; }
  nn::Parameters& parameters() { return parameters_; }
  const model::Seq2Seq& seq2seq() const { return *seq2seq_; }

 private:
  std::optional<store::ArrayFile> own_checkpoint_;
  nn::Parameters parameters_;
  std::unique_ptr<model::Seq2Seq> seq2seq_;
};

/// Models owned by others; they may be in training.
struct Ensemble {
  std::vector<model::Seq2SeqView> members;
  nn::Mixing mixing = nn::Mixing::kLinear;
  std::vector<double> shares;  ///< Of the members; they sum to one.
};

/// An ensemble of one.
Ensemble single_model(const model::Seq2SeqView& model);

/// Throws UsageError unless there is a weight for each model and one is above 0, Error if the
/// vocabularies are of different sizes, or if only some models fix the length of outputs.
Ensemble make_ensemble(std::span<const std::unique_ptr<LoadedModel>> models,
                       const EnsembleSettings& settings);

}  // namespace awend::decode
