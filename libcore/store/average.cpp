#include "store/average.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/error.hpp"
#include "store/array_file.hpp"
#include "store/array_writer.hpp"
#include "store/settings.hpp"

namespace awend::store {
namespace {

constexpr std::size_t kBlockElements = 64 * 1024;

Settings config_of(const ArrayFile& file) {
  return Settings::from_json(file.metadata_at(keys::config), file.path());
}

void check_same_config(const ArrayFile& first, const ArrayFile& other) {
  const auto expected = config_of(first), found = config_of(other);
  for (const auto& [name, value] : expected.entries()) {
    const auto its_value = found.find(name);
    if (!its_value) base::fail(other.path(), ": no setting '", name, "', unlike ", first.path());
    if (*its_value != value) {
      base::fail(other.path(), ": setting '", name, "' is ", *its_value, ", in ", first.path(),
                 " it is ", value);
    }
  }
  for (const auto& [name, value] : found.entries()) {
    if (!expected.find(name))
      base::fail(first.path(), ": no setting '", name, "', unlike ", other.path());
  }
}

void check_same_arrays(const ArrayFile& first, const ArrayFile& other) {
  for (const auto& array : first.arrays()) other.floats(array.name, array.shape);
  for (const auto& array : other.arrays()) first.floats(array.name, array.shape);
}

void check_same(const ArrayFile& first, const ArrayFile& other) {
  check_same_config(first, other);
  if (first.metadata_at(keys::vocabulary) != other.metadata_at(keys::vocabulary)) {
    base::fail(other.path(), ": its vocabulary is not that of ", first.path());
  }
  check_same_arrays(first, other);
}

Metadata metadata_of_mean(std::span<const ArrayFile> files) {
  Metadata metadata = files.back().metadata();
  std::string names;
  for (const auto& file : files) {
    if (!names.empty()) names += '\n';
    names += std::filesystem::path(file.path()).filename().string();
  }
  metadata["awend.average"] = names;
  return metadata;
}

void write_mean(std::span<const ArrayFile> files, const Array& array, ArrayWriter& writer) {
  std::vector<std::span<const float>> inputs;
  for (const auto& file : files) inputs.push_back(file.floats(array.name, array.shape));
  std::vector<double> sums;
  std::vector<float> means;
  for (std::size_t begin = 0; begin < inputs[0].size(); begin += kBlockElements) {
    const auto size = std::min(kBlockElements, inputs[0].size() - begin);
    sums.assign(size, 0);
    for (auto input : inputs) {
      for (std::size_t i = 0; i < size; ++i) sums[i] += input[begin + i];
    }
    means.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
      means[i] = static_cast<float>(sums[i] / static_cast<double>(inputs.size()));
    }
    writer.write(std::as_bytes(std::span(means)));
  }
}

}  // namespace

void average(std::span<const std::string> paths, const std::string& output) {
  base::check(!paths.empty(), "there is something to average");
  std::vector<ArrayFile> files;
  for (const auto& path : paths) files.emplace_back(path);
  for (const auto& file : files)
    check_same(files.front(), file);  // the first with itself: is it a checkpoint at all?
  const auto& arrays = files.front().arrays();
  ArrayWriter writer(output, arrays, metadata_of_mean(files));
  for (const auto& array : arrays) write_mean(files, array, writer);
  writer.commit();
}

}  // namespace awend::store
