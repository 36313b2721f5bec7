#include "model/checkpoint.hpp"

#include <set>

#include "base/error.hpp"
#include "model/architectures.hpp"
#include "model/memory/memory_fields.hpp"
#include "store/lexical_shortlist.hpp"
#include "store/weights.hpp"

namespace awend::model {
namespace {

std::vector<store::Array> layout_of(const nn::Parameters& parameters) {
  std::vector<store::Array> layout;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& parameter = parameters.parameter(i);
    layout.push_back(
        {parameters.name(i), store::Type::F32, {parameter.rows, parameter.columns}, {}});
  }
  return layout;
}

/// Declares that matrices are read where they are stored.
void refer(nn::Parameters& parameters, const store::ArrayFile& file) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& parameter = parameters.parameter(i);
    const std::uint64_t shape[] = {parameter.rows, parameter.columns};
    if (!store::can_be_narrow(shape)) continue;
    const store::Weights weights(file, parameters.name(i), shape);
    if (weights.integers().empty()) {
      parameters.refer(parameter, {.floats = weights.floats()});
    } else {
      parameters.refer(parameter, {.integers = host::Int8Matrix{.values = weights.integers().data(),
                                                                .scales = weights.scales().data(),
                                                                .columns = parameter.columns}});
    }
  }
}

}  // namespace

Config read_config(const store::ArrayFile& file) {
  store::require_format(file);
  const auto settings = store::settings_at(file, store::keys::kConfig);
  // The architecture comes first: another one has other settings.
  base::with_name(file.path(), [&] {
    require_architecture(settings.find("architecture").value_or(Config{}.architecture));
  });
  if (const auto problem = outdated_memory(settings, file)) base::fail(file.path(), ": ", *problem);
  const auto config = from_settings(settings, file.path());
  // Every layer has arrays, so that a small file cannot describe a model that exhausts memory.
  const auto layers = layers_of(config);
  if (layers > file.arrays().size()) {
    base::fail(file.path(), ": its settings describe ", layers, " layers, but it has only ",
               file.arrays().size(), " arrays");
  }
  return config;
}

void require_arrays(const nn::Parameters& parameters, const store::ArrayFile& file) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& parameter = parameters.parameter(i);
    const std::uint64_t shape[] = {parameter.rows, parameter.columns};
    const store::Weights weights(file, parameters.name(i), shape);
  }
}

void load(nn::Parameters& parameters, const store::ArrayFile& file, nn::Parameters::Buffer buffer,
          const std::string& prefix) {
  file.verify();
  std::set<std::string> known;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& parameter = parameters.parameter(i);
    const std::string name = prefix + parameters.name(i);
    const std::uint64_t shape[] = {parameter.rows, parameter.columns};
    if (!parameters.stored(parameter)) {
      std::vector<float> converted;
      parameters.write(parameter, store::Weights(file, name, shape).values(converted), buffer);
    }
    if (file.at(name).type == store::Type::I8) parameters.set_quantized();
    known.insert(name);
  }
  for (const auto& array : file.arrays()) {
    if (array.name.starts_with(prefix) && !known.contains(array.name) &&
        !store::is_scales(file, array) && !store::is_shortlist(array)) {
      base::fail(file.path(), ": array '", array.name, "' does not belong to the model");
    }
  }
}

void load_for_inference(nn::Engine& engine, nn::Parameters& parameters,
                        const store::ArrayFile& file, nn::Element precision) {
  require_arrays(parameters, file);
  if (engine.on_processor()) refer(parameters, file);
  parameters.allocate(engine, nn::Use::kInference, precision);
  load(parameters, file);
}

std::vector<std::string> own_heads(const ModelView& model, const store::ArrayFile& file) {
  const bool same_labels = read_config(file).bert.labels == model.model->config().bert.labels;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.parameters->size(); ++i) {
    const std::string& name = model.parameters->name(i);
    const Part part = model.model->part_of(name);
    const bool is_replaced = part == Part::kLabelHead && !same_labels;
    if (is_replaced || (part != Part::kShared && file.find(name) == nullptr)) names.push_back(name);
  }
  return names;
}

std::vector<std::string> load_shared(const ModelView& model, const store::ArrayFile& file) {
  file.verify();
  auto& parameters = *model.parameters;
  auto own = own_heads(model, file);
  std::set<std::string> known;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& parameter = parameters.parameter(i);
    const std::string& name = parameters.name(i);
    known.insert(name);
    if (std::ranges::find(own, name) != own.end()) continue;
    const std::uint64_t shape[] = {parameter.rows, parameter.columns};
    parameters.write(parameter, store::Weights(file, name, shape).read());
  }
  for (const auto& array : file.arrays()) {
    const bool is_head = model.model->part_of(array.name) != Part::kShared;
    if (!known.contains(array.name) && !is_head && !store::is_scales(file, array) &&
        !store::is_shortlist(array))
      base::fail(file.path(), ": array '", array.name, "' does not belong to the model");
  }
  return own;
}

std::unique_ptr<store::ArrayWriter> write_weights(const std::string& path,
                                                  const WeightsView& weights, const Config& config,
                                                  const OtherContents& others) {
  const auto& [parameters, buffer] = weights;
  store::Metadata all(others.metadata.begin(), others.metadata.end());
  all.emplace(store::keys::kFormat, "1");
  all.emplace(store::keys::kConfig, to_settings(config).to_json());
  auto layout = layout_of(parameters);
  layout.insert(layout.end(), others.arrays.begin(), others.arrays.end());
  auto writer = std::make_unique<store::ArrayWriter>(path, layout, all);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto values = parameters.read(parameters.parameter(i), buffer);
    writer->write(std::as_bytes(std::span(values)));
  }
  for (const auto& array : others.arrays) writer->write(array.bytes);
  return writer;
}

void save(const std::string& path, const WeightsView& weights, const Config& config,
          const std::map<std::string, std::string>& metadata) {
  write_weights(path, weights, config, {metadata})->commit();
}

}  // namespace awend::model
