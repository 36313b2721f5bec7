#include "interchange/checkpoint.hpp"

#include <functional>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "base/mapped_file.hpp"
#include "interchange/model_files.hpp"
#include "model/weight_layout.hpp"
#include "store/activation_scales.hpp"
#include "store/array_writer.hpp"
#include "store/lexical_shortlist.hpp"
#include "store/weights.hpp"

namespace awend::interchange {
namespace {

/// An array of the file, which is made when it is written.
struct Output {
  store::Array layout;
  std::function<void(store::ArrayWriter&)> write;
};

/// The integers of a matrix, and their scales.
class NarrowMatrix {
 public:
  NarrowMatrix(const ModelWeights& weights, std::string name, std::size_t columns)
      : weights_(weights), name_(std::move(name)), columns_(columns) {}

  void write_scales(store::ArrayWriter& writer) const {
    std::vector<float> scales;
    for_each_row([&](std::span<const float> row) { scales.push_back(store::scale_of(row)); });
    writer.write(std::as_bytes(std::span(scales)));
  }
  void write_integers(store::ArrayWriter& writer) const {
    std::vector<std::int8_t> integers(columns_);
    for_each_row([&](std::span<const float> row) {
      store::narrow_row(row, store::scale_of(row), integers);
      writer.write(std::as_bytes(std::span(integers)));
    });
  }

 private:
  template <class Action>
  void for_each_row(const Action& action) const {
    weights_.for_parts(name_, columns_, [&](std::span<const float> part) {
      for (std::size_t begin = 0; begin < part.size(); begin += columns_)
        action(part.subspan(begin, columns_));
    });
  }

  const ModelWeights& weights_;
  std::string name_;
  std::size_t columns_;
};

/// The weights, then the shortlist, then integers, so that all are aligned in a mapped file.
std::vector<Output> outputs_of(const ConvertedModel& model, store::Storage storage) {
  using Writer = store::ArrayWriter;
  std::vector<Output> wide, narrow;
  for (const auto& weight : model::weights_of(model.config)) {
    const auto name = weight.name();
    base::check(model.weights.contains(name), "a converted model has all weights");
    const std::vector<std::uint64_t> shape = {weight.rows, weight.columns};
    if (storage == store::Storage::kInt8 && store::can_be_narrow(shape)) {
      const NarrowMatrix matrix(model.weights, name, weight.columns);
      wide.push_back({{store::scales_name(name), store::Type::F32, {weight.rows, 1}, {}},
                      [matrix](Writer& writer) { matrix.write_scales(writer); }});
      narrow.push_back({{name, store::Type::I8, shape, {}},
                        [matrix](Writer& writer) { matrix.write_integers(writer); }});
      continue;
    }
    const auto write = [&weights = model.weights, name, columns = weight.columns](Writer& writer) {
      weights.for_parts(name, columns,
                        [&](std::span<const float> part) { writer.write(std::as_bytes(part)); });
    };
    wide.push_back({{name, store::Type::F32, shape, {}}, write});
  }
  if (model.shortlist) {
    for (const auto& array : store::arrays_of(*model.shortlist)) {
      wide.push_back({array, [array](store::ArrayWriter& writer) { writer.write(array.bytes); }});
    }
  }
  wide.insert(wide.end(), narrow.begin(), narrow.end());
  return wide;
}

store::Metadata metadata_of(const ConvertedModel& model, store::Storage storage) {
  store::Metadata metadata;
  metadata.emplace(store::keys::kFormat, "1");
  metadata.emplace(store::keys::kConfig, model::to_settings(model.config).to_json());
  metadata.emplace(store::keys::kVocabulary, model.vocabulary->serialize());
  if (model.source_vocabulary)
    metadata.emplace(store::keys::kSourceVocabulary, model.source_vocabulary->serialize());
  if (model.shortlist)
    metadata.emplace(store::keys::kShortlist, store::settings_of(*model.shortlist));
  if (!model.activation_scales.empty()) {
    store::Settings scales;
    for (const auto& [name, scale] : model.activation_scales) scales.set(name, scale);
    metadata.emplace(store::keys::kActivationScales, scales.to_json());
  }
  if (!model.search.entries().empty())
    metadata.emplace(store::keys::kSearch, model.search.to_json());
  if (storage == store::Storage::kInt8) metadata.emplace(store::keys::kQuantize, "int8");
  return metadata;
}

}  // namespace

void write_checkpoint(const std::string& path, const ConvertedModel& model,
                      store::Storage storage) {
  base::check(model.vocabulary.has_value(), "a converted model has a vocabulary");
  const auto outputs = outputs_of(model, storage);
  std::vector<store::Array> layout;
  for (const auto& output : outputs) layout.push_back(output.layout);
  store::ArrayWriter writer(path, layout, metadata_of(model, storage));
  for (const auto& output : outputs) output.write(writer);
  writer.commit();
}

ConvertedModel read_checkpoint(const std::string& path) {
  store::ArrayFile file(path);
  store::require_format(file);
  const auto settings = store::settings_at(file, store::keys::kConfig);
  if (const auto architecture = settings.find("architecture"))
    with_name_once(path, [&] { model::layout_of(*architecture); });
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
    const store::Weights weights(file, weight.name(), shape);
    if (weights.integers().empty()) {
      model.weights.refer(weight.name(), weights.floats());
    } else {
      model.weights.set(weight.name(), weights.read());
      base::forget_mapped(std::as_bytes(weights.integers()));
    }
  }
  const auto vocabulary = [&](std::string_view key) {
    return text::Vocabulary::parse(file.metadata_at(key), path + ": vocabulary");
  };
  model.vocabulary = vocabulary(store::keys::kVocabulary);
  if (file.metadata(store::keys::kSourceVocabulary))
    model.source_vocabulary = vocabulary(store::keys::kSourceVocabulary);
  model.shortlist = store::shortlist_of(
      file, {model::source_vocabulary_of(model.config), model.config.vocabulary});
  model.activation_scales = store::read_activation_scales(file);
  if (file.metadata(store::keys::kSearch))
    model.search = store::settings_at(file, store::keys::kSearch);
  model.weights.keep_open(std::move(file));
  return model;
}

}  // namespace awend::interchange
