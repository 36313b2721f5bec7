#include "decode/device_step_model.hpp"

#include "base/error.hpp"
#include "nn/graph.hpp"

namespace awend::decode {
namespace {

SentenceLists lists_of(const nn::Engine& engine, const Ensemble& ensemble,
                       const DeviceStepSettings& settings) {
  if (!settings.has_sentence_lists) return SentenceLists::kNone;
  const bool is_single = ensemble.members.size() == 1 && engine.on_processor();
  return is_single ? SentenceLists::kSelected : SentenceLists::kMasked;
}

}  // namespace

DeviceStepModel::DeviceStepModel(nn::Engine& engine, const Ensemble& ensemble,
                                 const SearchCapacity& capacity, const DeviceStepSettings& settings)
    : capacity_(capacity),
      encoder_(engine),
      decoder_(engine),
      rows_(decoder_.count(capacity.rows)),
      selector_(decoder_, rows_,
                {.candidates = capacity.candidates,
                 .adjustments = capacity.adjustments,
                 .sampling = settings.sampling,
                 .shortlist = settings.shortlist,
                 .lists = lists_of(engine, ensemble, settings),
                 .vocabulary = ensemble.members.front().seq2seq->config().vocabulary}) {
  base::check(settings.shortlist.all() || settings.projections.size() == ensemble.members.size(),
              "each model has a projection for the shortlist");
  for (const auto& member : ensemble.members) {
    models_.push_back(member.seq2seq->make_cache(engine, {.source_rows = capacity.source_rows,
                                                          .hypotheses = capacity.rows,
                                                          .cache_rows = capacity.cache_rows,
                                                          .max_tokens = capacity.longest}));
  }
  record_encoders(ensemble, settings);
  record_decoders(ensemble, settings);
}

void DeviceStepModel::record_encoders(const Ensemble& ensemble,
                                      const DeviceStepSettings& settings) {
  for (std::size_t i = 0; i < models_.size(); ++i) {
    nn::Graph graph(encoder_, *ensemble.members[i].parameters, nn::Mode::kInference);
    models_[i]->append_encoder(graph);
  }
  encoder_.compile(settings.timing);
}

void DeviceStepModel::record_decoders(const Ensemble& ensemble,
                                      const DeviceStepSettings& settings) {
  nn::Mixture mixture(ensemble.mixing, ensemble.shares);
  for (std::size_t i = 0; i < models_.size(); ++i) {
    const auto& [parameters, seq2seq] = ensemble.members[i];
    nn::Graph graph(decoder_, *parameters, nn::Mode::kInference);
    const nn::Tensor decoded = models_[i]->append_step(graph, rows_);
    if (lists_of(encoder_.engine(), ensemble, settings) == SentenceLists::kSelected) {
      selector_.append(graph, decoded, seq2seq->output_layer());
      return decoder_.compile(settings.timing);
    }
    if (settings.shortlist.all()) {
      const auto logits = nn::token_logits(graph, decoded, seq2seq->output_layer());
      selector_.restrict_tokens(logits);
      mixture.add(decoder_, logits);
    } else {
      auto& projection = *settings.projections[i];
      nn::Graph shorter(decoder_, projection.parameters(), nn::Mode::kInference);
      mixture.add(decoder_, nn::token_logits(shorter, decoded, projection.output_layer()));
    }
  }
  selector_.append(mixture.logits());
  decoder_.compile(settings.timing);
}

void DeviceStepModel::use_threads(nn::Threads threads) {
  encoder_.use_threads(threads);
  decoder_.use_threads(threads);
}

void DeviceStepModel::encode(std::span<const model::SourceSentence> sentences) {
  for (const auto& model : models_) model->write(sentences);
  encoder_.replay();
}

std::span<const Candidate> DeviceStepModel::step(const Step& step) {
  const auto count = static_cast<std::uint32_t>(step.rows.size());
  base::check(count <= capacity_.rows && step.cache_rows.size() <= capacity_.cache_rows,
              "a step fits the caches");
  for (const auto& model : models_)
    model->write(model::StepRows{.rows = step.rows, .cache_rows = step.cache_rows});
  selector_.write(step);
  decoder_.set(rows_, count);
  decoder_.replay();
  return selector_.read(count);
}

}  // namespace awend::decode
