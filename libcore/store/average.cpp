#include "store/average.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

#include "base/error.hpp"
#include "store/array_file.hpp"
#include "store/array_writer.hpp"
#include "store/lexical_shortlist.hpp"
#include "store/stored_settings.hpp"
#include "store/weights.hpp"

namespace awend::store {
namespace {

constexpr std::size_t kBlockElements = 64 * 1024;
// Of a memory network: 0 until the end of its linear start, and then 1.  A mean of both is no
// model.
constexpr std::string_view kSoftmax = "softmax";

Settings config_of(const ArrayFile& file) {
  return settings_at(file, keys::kConfig);
}

/// "setting 'dropout' is 0.1, in A it is 0.3" for the first difference; empty if there is none.
std::string difference(const Settings& expected, const Settings& found, const std::string& first) {
  for (const auto& [name, value] : expected.entries()) {
    const auto its_value = found.find(name);
    if (!its_value) return base::concat("no setting '", name, "', unlike ", first);
    if (*its_value != value)
      return base::concat("setting '", name, "' is ", *its_value, ", in ", first, " it is ", value);
  }
  for (const auto& [name, value] : found.entries()) {
    if (!expected.find(name))
      return base::concat("setting '", name, "' is ", value, ", in ", first, " there is none");
  }
  return "";
}

/// Checkpoints of different trainings can be averaged, but the result is hardly a good model.
void compare_recipes(const ArrayFile& first, const ArrayFile& other,
                     const AverageSettings& settings) {
  if (!settings.warn || !first.metadata(keys::kRecipe) || !other.metadata(keys::kRecipe)) return;
  const auto what = difference(settings_at(first, keys::kRecipe), settings_at(other, keys::kRecipe),
                               first.path());
  if (!what.empty())
    settings.warn(base::concat(other.path(), ": trained with another recipe: ", what));
}

/// Throws Error unless `other` has all weights of `first`.
void check_has_arrays(const ArrayFile& first, const ArrayFile& other) {
  for (const auto& array : first.arrays()) {
    if (!is_scales(first, array) && !is_shortlist(array)) Weights(other, array.name, array.shape);
  }
}

void check_same(const ArrayFile& first, const ArrayFile& other) {
  const auto what = difference(config_of(first), config_of(other), first.path());
  if (!what.empty()) base::fail(other.path(), ": ", what);
  if (first.metadata_at(keys::kVocabulary) != other.metadata_at(keys::kVocabulary)) {
    base::fail(other.path(), ": its vocabulary is not that of ", first.path());
  }
  if (first.metadata(keys::kSourceVocabulary) != other.metadata(keys::kSourceVocabulary)) {
    base::fail(other.path(), ": its source vocabulary is not that of ", first.path());
  }
  if (first.metadata(keys::kActivationScales) != other.metadata(keys::kActivationScales)) {
    base::fail(other.path(), ": its activation scales are not those of ", first.path(),
               "; average checkpoints of one run");
  }
  check_has_arrays(first, other);
  check_has_arrays(other, first);
  if (const auto* switched = first.find(kSoftmax);
      switched != nullptr && Weights(first, kSoftmax, switched->shape)[0] !=
                                 Weights(other, kSoftmax, switched->shape)[0]) {
    base::fail("the linear start of training is between ", first.path(), " and ", other.path());
  }
}

Metadata metadata_of_mean(std::span<const ArrayFile> files, const AverageSettings& settings) {
  Metadata metadata = files.back().metadata();
  std::string names;
  for (const auto& file : files) {
    if (!names.empty()) names += '\n';
    names += std::filesystem::path(file.path()).filename().string();
  }
  metadata[std::string(keys::kAverage)] = names;
  metadata.erase(std::string(keys::kQuantize));
  if (settings.storage == Storage::kInt8) metadata.emplace(keys::kQuantize, "int8");
  if (const auto& shortlist = settings.shortlist) {
    metadata.erase(std::string(keys::kShortlist));
    if (shortlist->source_words() > 0) metadata.emplace(keys::kShortlist, settings_of(*shortlist));
  }
  if (!settings.search.entries().empty()) {
    auto& search = metadata[std::string(keys::kSearch)];
    auto merged = search.empty() ? Settings() : Settings::from_json(search, files.back().path());
    for (const auto& [name, value] : settings.search.entries()) merged.set(name, value);
    search = merged.to_json();
  }
  return metadata;
}

/// The number of weights averaged so far; written as integers, each counts twice.
class Done {
 public:
  explicit Done(const AverageSettings& settings) : settings_(settings) {}
  void expect(std::uint64_t weights) { total_ += weights; }
  void add(std::uint64_t weights) {
    done_ += weights;
    if (settings_.progress) settings_.progress(done_, total_);
  }

 private:
  const AverageSettings& settings_;
  std::uint64_t done_ = 0, total_ = 0;
};

/// The mean of one array of all files, part by part.
class Mean {
 public:
  Mean(std::span<const ArrayFile> files, const Array& array, Done& done)
      : files_(files), array_(array), done_(done) {
    for (const auto& file : files) inputs_.emplace_back(file, array.name, array.shape);
  }

  std::size_t size() const { return inputs_[0].size(); }
  std::size_t columns() const { return array_.shape.back(); }

  /// `size` numbers from `begin`; valid until the next call.  Error naming file and array if one
  /// is not finite.
  std::span<const float> part(std::size_t begin, std::size_t size) {
    sums_.assign(size, 0);
    for (const auto& input : inputs_) {
      for (std::size_t i = 0; i < size; ++i) sums_[i] += input[begin + i];
    }
    // In double precision, a sum of finite floats is finite.
    if (!std::ranges::all_of(sums_, [](double sum) { return std::isfinite(sum); }))
      refuse(begin, size);
    means_.resize(size);
    for (std::size_t i = 0; i < size; ++i)
      means_[i] = static_cast<float>(sums_[i] / static_cast<double>(inputs_.size()));
    done_.add(size);
    return means_;
  }

 private:
  [[noreturn]] void refuse(std::size_t begin, std::size_t size) const {
    for (std::size_t file = 0; file < inputs_.size(); ++file) {
      for (std::size_t i = begin; i < begin + size; ++i) {
        if (std::isfinite(inputs_[file][i])) continue;
        base::fail(files_[file].path(), ": array '", array_.name,
                   "' has a weight that is not finite: ", inputs_[file][i]);
      }
    }
    base::fail("array '", array_.name, "' has weights that cannot be averaged");
  }

  std::span<const ArrayFile> files_;
  const Array& array_;
  Done& done_;
  std::vector<Weights> inputs_;
  std::vector<double> sums_;
  std::vector<float> means_;
};

void write_floats(Mean& mean, ArrayWriter& writer) {
  for (std::size_t begin = 0; begin < mean.size(); begin += kBlockElements) {
    const auto size = std::min(kBlockElements, mean.size() - begin);
    writer.write(std::as_bytes(mean.part(begin, size)));
  }
}

void write_scales(Mean& mean, ArrayWriter& writer) {
  std::vector<float> scales;
  for (std::size_t begin = 0; begin < mean.size(); begin += mean.columns())
    scales.push_back(scale_of(mean.part(begin, mean.columns())));
  writer.write(std::as_bytes(std::span(scales)));
}

void write_integers(Mean& mean, ArrayWriter& writer) {
  std::vector<std::int8_t> row(mean.columns());
  for (std::size_t begin = 0; begin < mean.size(); begin += mean.columns()) {
    const auto values = mean.part(begin, mean.columns());
    narrow_row(values, scale_of(values), row);
    writer.write(std::as_bytes(std::span(row)));
  }
}

/// Weights, and the type that each is written as.
struct Output {
  const Array* weights;
  void (*write)(Mean&, ArrayWriter&);
  Array layout;
};

/// The arrays of the shortlist of the settings, or of a checkpoint, if there is one.
std::vector<Array> shortlist_arrays(const ArrayFile& file, const AverageSettings& settings) {
  if (const auto& shortlist = settings.shortlist)
    return shortlist->source_words() > 0 ? arrays_of(*shortlist) : std::vector<Array>();
  auto arrays = file.arrays();
  std::erase_if(arrays, [](const Array& array) { return !is_shortlist(array); });
  return arrays;
}

/// Four-byte elements come first, so that all are aligned in a mapped file.
std::vector<Output> outputs_of(const ArrayFile& file, Storage storage) {
  std::vector<Output> wide, narrow;
  for (const auto& array : file.arrays()) {
    if (is_scales(file, array) || is_shortlist(array)) continue;
    if (storage == Storage::kInt8 && can_be_narrow(array.shape)) {
      wide.push_back(
          {&array, write_scales, {scales_name(array.name), Type::F32, {array.shape[0], 1}, {}}});
      narrow.push_back({&array, write_integers, {array.name, Type::I8, array.shape, {}}});
    } else {
      wide.push_back({&array, write_floats, {array.name, Type::F32, array.shape, {}}});
    }
  }
  wide.insert(wide.end(), narrow.begin(), narrow.end());
  return wide;
}

}  // namespace

void average(std::span<const std::string> paths, const std::string& output,
             const AverageSettings& settings) {
  base::check(!paths.empty(), "there is something to average");
  std::vector<ArrayFile> files;
  for (const auto& path : paths) files.emplace_back(path);
  for (const auto& file : files) {
    check_same(files.front(), file);  // the first with itself: checks that it is a checkpoint
    compare_recipes(files.front(), file, settings);
  }
  for (const auto& file : files) file.verify();
  const auto outputs = outputs_of(files.front(), settings.storage);
  // As the metadata, the shortlist is that of the last file.
  const auto shortlist = shortlist_arrays(files.back(), settings);
  std::vector<Array> layout = shortlist;
  Done done(settings);
  for (const auto& it : outputs) {
    layout.push_back(it.layout);
    done.expect(count_of(it.weights->shape));
  }
  ArrayWriter writer(output, layout, metadata_of_mean(files, settings));
  for (const auto& array : shortlist) writer.write(array.bytes);
  for (const auto& it : outputs) {
    Mean mean(files, *it.weights, done);
    it.write(mean, writer);
  }
  writer.commit();
}

}  // namespace awend::store
