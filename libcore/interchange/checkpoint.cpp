#include "interchange/checkpoint.hpp"

#include "base/error.hpp"
#include "interchange/model_files.hpp"
#include "model/weight_layout.hpp"
#include "store/array_writer.hpp"
#include "store/lexical_shortlist.hpp"
#include "store/weights.hpp"

namespace awend::interchange {

void write_checkpoint(const std::string& path, const ConvertedModel& model) {
  base::check(model.vocabulary.has_value(), "a converted model has a vocabulary");
  std::vector<store::Array> arrays;
  for (const auto& weight : model::weights_of(model.config)) {
    const auto found = model.weights.find(weight.name());
    base::check(found != model.weights.end(), "a converted model has all weights");
    arrays.push_back({weight.name(),
                      store::Type::F32,
                      {weight.rows, weight.columns},
                      std::as_bytes(std::span(found->second))});
  }
  store::Metadata metadata;
  if (model.shortlist) {
    for (auto& array : store::arrays_of(*model.shortlist)) arrays.push_back(std::move(array));
    metadata.emplace(store::keys::kShortlist, store::settings_of(*model.shortlist));
  }
  metadata.emplace(store::keys::kFormat, "1");
  metadata.emplace(store::keys::kConfig, model::to_settings(model.config).to_json());
  metadata.emplace(store::keys::kVocabulary, model.vocabulary->serialize());
  if (model.source_vocabulary)
    metadata.emplace(store::keys::kSourceVocabulary, model.source_vocabulary->serialize());
  if (!model.activation_scales.empty()) {
    store::Settings scales;
    for (const auto& [name, scale] : model.activation_scales) scales.set(name, scale);
    metadata.emplace(store::keys::kActivationScales, scales.to_json());
  }
  if (!model.search.entries().empty())
    metadata.emplace(store::keys::kSearch, model.search.to_json());
  store::write_arrays(path, arrays, metadata);
}

ConvertedModel read_checkpoint(const std::string& path) {
  const store::ArrayFile file(path);
  if (!file.metadata(store::keys::kFormat))
    base::fail(path, ": not a checkpoint of awend: no metadata ", store::keys::kFormat);
  const auto settings = store::Settings::from_json(file.metadata_at(store::keys::kConfig), path);
  if (const auto architecture = settings.find("architecture"))
    with_name(path, [&] { model::layout_of(*architecture); });
  ConvertedModel model;
  model.config = model::from_settings(settings, path);
  // Every layer has arrays, so that a small file cannot describe a large model.
  if (std::uint64_t{model.config.encoder_layers} + model.config.decoder_layers >
      file.arrays().size()) {
    base::fail(path, ": its settings describe more layers than it has arrays");
  }
  file.verify();
  for (const auto& weight : model::weights_of(model.config)) {
    const std::uint64_t shape[] = {weight.rows, weight.columns};
    model.weights[weight.name()] = store::Weights(file, weight.name(), shape).read();
  }
  const auto vocabulary = [&](std::string_view key) {
    return text::Vocabulary::parse(file.metadata_at(key), path + ": vocabulary");
  };
  model.vocabulary = vocabulary(store::keys::kVocabulary);
  if (file.metadata(store::keys::kSourceVocabulary))
    model.source_vocabulary = vocabulary(store::keys::kSourceVocabulary);
  model.shortlist = store::shortlist_of(
      file, {model::source_vocabulary_of(model.config), model.config.vocabulary});
  if (const auto search = file.metadata(store::keys::kSearch))
    model.search = store::Settings::from_json(*search, path);
  return model;
}

}  // namespace awend::interchange
