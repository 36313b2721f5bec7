#include "decode/ensemble.hpp"

#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "model/activation_scales.hpp"
#include "model/architectures.hpp"
#include "model/checkpoint.hpp"

namespace awend::decode {

namespace {

std::unique_ptr<model::Seq2Seq> made_of(const store::ArrayFile& checkpoint,
                                        nn::Parameters& parameters) {
  const auto config = model::read_config(checkpoint);
  return base::with_name(checkpoint.path(),
                         [&] { return model::make_seq2seq(config, parameters); });
}

}  // namespace

LoadedModel::LoadedModel(nn::Engine& engine, const store::ArrayFile& checkpoint,
                         nn::Element precision)
    : seq2seq_(made_of(checkpoint, parameters_)) {
  model::load_for_inference(engine, parameters_, checkpoint, precision);
  model::load_activation_scales(parameters_, checkpoint);
}

LoadedModel::LoadedModel(nn::Engine& engine, store::ArrayFile&& checkpoint, nn::Element precision)
    : LoadedModel(engine, checkpoint, precision) {
  own_checkpoint_ = std::move(checkpoint);
}

Ensemble single_model(const model::Seq2SeqView& model) {
  return {.members = {model}, .shares = {1}};
}

Ensemble make_ensemble(std::span<const std::unique_ptr<LoadedModel>> models,
                       const EnsembleSettings& settings) {
  Ensemble ensemble{.members = {}, .mixing = settings.mixing, .shares = settings.weights};
  if (ensemble.shares.empty()) ensemble.shares.assign(models.size(), 1);
  if (ensemble.shares.size() != models.size()) {
    throw base::UsageError(base::concat(ensemble.shares.size(), " weights are given for ",
                                        models.size(), " models of an ensemble"));
  }
  const auto [least, most] = kEnsembleWeightRange;
  for (const double share : ensemble.shares) {
    if (!(share >= least && share <= most))
      throw base::UsageError(base::concat("a weight of an ensemble must be in [", least, ", ", most,
                                          "], got ", share));
  }
  const double sum = std::accumulate(ensemble.shares.begin(), ensemble.shares.end(), 0.0);
  if (sum <= 0) throw base::UsageError("a model of an ensemble must have a weight above 0");
  for (double& share : ensemble.shares) share /= sum;
  for (const auto& model : models) {
    if (model->seq2seq().config().vocabulary != models.front()->seq2seq().config().vocabulary)
      base::fail("the models of an ensemble have vocabularies of different sizes");
    if (model->seq2seq().output_length() != models.front()->seq2seq().output_length())
      base::fail("a memory network cannot be combined with other architectures");
    ensemble.members.push_back(model->view());
  }
  return ensemble;
}

}  // namespace awend::decode
