#include "model/checkpoint.hpp"

#include <set>

#include "base/error.hpp"
#include "store/array_writer.hpp"
#include "store/weights.hpp"

namespace awend::model {

Config read_config(const store::ArrayFile& file) {
  const auto format = file.metadata(store::keys::kFormat);
  if (!format)
    base::fail(file.path(), ": not a checkpoint of awend: it carries no ", store::keys::kFormat);
  if (*format != "1")
    base::fail(file.path(), ": checkpoint format ", *format, " is not known, only 1");
  const auto& text = file.metadata_at(store::keys::kConfig);
  return from_settings(store::Settings::from_json(text, file.path()), file.path());
}

void load(nn::Parameters& parameters, const store::ArrayFile& file, nn::Parameters::Buffer buffer,
          const std::string& prefix) {
  std::set<std::string> known;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& parameter = parameters.parameter(i);
    const std::string name = prefix + parameters.name(i);
    const std::uint64_t shape[] = {parameter.rows, parameter.columns};
    parameters.write(parameter, store::Weights(file, name, shape).read(), buffer);
    known.insert(name);
  }
  for (const auto& array : file.arrays()) {
    if (array.name.starts_with(prefix) && !known.contains(array.name) &&
        !store::is_scales(file, array)) {
      base::fail(file.path(), ": array '", array.name, "' does not belong to the model");
    }
  }
}

void save(const std::string& path, const nn::Parameters& parameters, const Config& config,
          const std::map<std::string, std::string>& metadata, nn::Parameters::Buffer buffer) {
  store::Metadata all(metadata.begin(), metadata.end());
  all.emplace(store::keys::kFormat, "1");
  all.emplace(store::keys::kConfig, to_settings(config).to_json());
  std::vector<store::Array> layout;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& parameter = parameters.parameter(i);
    layout.push_back(
        {parameters.name(i), store::Type::F32, {parameter.rows, parameter.columns}, {}});
  }
  store::ArrayWriter writer(path, layout, all);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto values = parameters.read(parameters.parameter(i), buffer);
    writer.write(std::as_bytes(std::span(values)));
  }
  writer.commit();
}

}  // namespace awend::model
