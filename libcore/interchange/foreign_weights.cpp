#include "interchange/foreign_weights.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "interchange/head_padding.hpp"

namespace awend::interchange {
namespace {

using Order = Location::Order;

constexpr std::size_t kPartBytes = std::size_t{8} << 20;

/// Throws Error unless the array has the shape that the weight requires; vectors may have sizes of
/// 1 besides their own.
void require_shape(const std::string& name, const std::vector<std::uint64_t>& shape,
                   const Location& location, const model::WeightShape& weight) {
  const bool is_vector = weight.rows == 1 || weight.columns == 1;
  std::vector<std::uint64_t> expected{weight.rows, weight.columns}, found = shape;
  if (location.order == Order::kTransposed) std::ranges::reverse(expected);
  if (location.all_outputs != 0) {
    (location.order == Order::kTransposed ? expected.front() : expected.back()) =
        location.all_outputs;
  }
  if (is_vector) {
    std::erase(expected, 1u);
    std::erase(found, 1u);
  }
  if (found == expected) return;
  base::fail("array '", name, "' is ", store::describe(store::Type::F32, shape), ", but '",
             weight.name(), "' requires ", store::describe(store::Type::F32, expected));
}

}  // namespace

std::vector<float> transposed(const std::vector<float>& values, std::size_t rows) {
  const std::size_t columns = values.size() / rows;
  std::vector<float> other;
  other.reserve(values.size());
  for (std::size_t column = 0; column < columns; ++column) {
    for (std::size_t row = 0; row < rows; ++row) other.push_back(values[row * columns + column]);
  }
  return other;
}

const std::vector<std::uint64_t>& ForeignWeights::shape(std::string_view name) const {
  const auto found = arrays_.find(name);
  if (found == arrays_.end()) base::fail("no array '", name, "'");
  return found->second.shape;
}

/// The elements, part by part, so that not the whole array is in memory twice.
std::vector<float> ForeignWeights::floats_of(const store::StridedArray& array) const {
  if (!release_ || array.bytes.size() < kPartBytes) return store::to_floats(array);
  const bool is_contiguous = array.strides.empty() && !array.shape.empty();
  // Marian pads arrays.
  const auto row_bytes =
      is_contiguous && array.shape[0] > 0
          ? store::count_of(array.shape) / array.shape[0] * store::size_bytes(array.type)
          : 0;
  std::vector<float> values;
  if (row_bytes == 0 || row_bytes * array.shape[0] > array.bytes.size()) {
    values = store::to_floats(array);
    release_();
    return values;
  }
  values.reserve(store::count_of(array.shape));
  const std::uint64_t rows_of_part = std::max<std::uint64_t>(kPartBytes / row_bytes, 1);
  for (std::uint64_t row = 0; row < array.shape[0]; row += rows_of_part) {
    auto part = array;
    part.shape[0] = std::min(rows_of_part, array.shape[0] - row);
    part.bytes = array.bytes.subspan(row * row_bytes, part.shape[0] * row_bytes);
    const auto floats = store::to_floats(part);
    values.insert(values.end(), floats.begin(), floats.end());
    release_();
  }
  return values;
}

std::vector<float> ForeignWeights::values(const std::string& name) {
  shape(name);
  known_.insert(name);
  auto values = floats_of(arrays_.at(name));
  if (dequantize_) dequantize_(name, values);
  return values;
}

std::vector<float> ForeignWeights::rows_after(const std::string& name, std::uint32_t first,
                                              std::uint32_t columns) {
  const auto& size = shape(name);
  if (size.size() != 2 || size[0] <= first || size[1] != columns)
    base::fail("array '", name, "' has an unexpected shape");
  auto rows = values(name);
  rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(first) * columns);
  return rows;
}

bool ForeignWeights::are_same(const std::string& a, const std::string& b) {
  if (shape(a) != shape(b)) return false;
  const auto &one = arrays_.at(a), &other = arrays_.at(b);
  const bool has_bytes = one.type == other.type && one.strides.empty() && other.strides.empty() &&
                         one.type != store::Type::I8 && one.type != store::Type::I16;
  if (!has_bytes) return values(a) == values(b);
  known_.insert({a, b});
  if (one.bytes.data() == other.bytes.data()) return true;
  for (std::size_t at = 0; at < one.bytes.size(); at += kPartBytes) {
    const auto size = std::min(kPartBytes, one.bytes.size() - at);
    const bool is_equal =
        std::ranges::equal(one.bytes.subspan(at, size), other.bytes.subspan(at, size));
    if (release_) release_();
    if (!is_equal) return false;
  }
  return true;
}

std::vector<float> ForeignWeights::read(const Location& location,
                                        const model::WeightShape& weight) {
  const std::size_t rows = weight.rows, columns = weight.columns;
  if (!has(location.name) && location.if_missing)
    return std::vector<float>(rows * columns, *location.if_missing);
  require_shape(location.name, shape(location.name), location, weight);
  auto theirs = values(location.name);
  const bool is_vector = rows == 1 || columns == 1;
  const bool is_same = location.order == Order::kSame || is_vector;
  if (is_same && !location.output_of) return theirs;
  // A vector has outputs only.
  const std::size_t outputs = is_vector ? rows * columns : columns, inputs = is_vector ? 1 : rows;
  const std::size_t all = location.all_outputs == 0 ? outputs : location.all_outputs;
  std::vector<float> values(rows * columns);
  for (std::uint32_t output = 0; output < outputs; ++output) {
    const std::size_t place = location.output_of ? location.output_of(output) : output;
    for (std::size_t input = 0; input < inputs; ++input) {
      values[input * outputs + output] =
          theirs[is_same ? input * all + place : place * inputs + input];
    }
  }
  return values;
}

void ForeignWeights::read_all(ConvertedModel& model, const Locate& locate) {
  // Every layer has arrays, so that a small file cannot describe a large model.
  if (std::uint64_t{model.config.encoder_layers} + model.config.decoder_layers > arrays_.size())
    base::fail("its settings describe more layers than it has arrays");
  const HeadPadding padding(model.config);
  for (const auto& weight : model::weights_of(model.config)) {
    const auto name = weight.name();
    if (model.weights.contains(name)) continue;
    const auto original = padding.original(weight);
    model.weights.emplace(name, padding.padded(read(locate(original), original), weight));
  }
}

void ForeignWeights::ignore(std::string_view name) {
  const bool is_prefix = name.ends_with('*');
  if (is_prefix) name.remove_suffix(1);
  for (auto it = arrays_.lower_bound(name); it != arrays_.end() && it->first.starts_with(name);
       ++it) {
    if (is_prefix || it->first == name) known_.insert(it->first);
  }
}

void ForeignWeights::require_all_known() const {
  for (const auto& [name, array] : arrays_) {
    if (!known_.contains(name)) {
      base::fail("array '", name, "', ", store::describe(array.type, array.shape),
                 ", does not belong to a supported model");
    }
  }
}

void read_relative_positions(ForeignWeights& weights, const std::string& theirs,
                             const std::string& ours, ConvertedModel& model) {
  const auto& config = model.config;
  const auto side = ours.starts_with("source") ? config : model::decoder_side(config);
  const std::vector<std::uint64_t> expected = {side.transformer.relative_buckets,
                                               side.transformer.heads};
  const auto& shape = weights.shape(theirs);
  if (shape != expected) {
    base::fail("array '", theirs, "' is ", store::describe(store::Type::F32, shape), ", expected ",
               store::describe(store::Type::F32, expected));
  }
  model.weights.emplace(ours, weights.values(theirs));
}

}  // namespace awend::interchange
