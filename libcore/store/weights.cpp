#include "store/weights.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace awend::store {
namespace {

constexpr std::string_view kScales = ".scale";
constexpr float kMaxLevel = 127;

}  // namespace

Weights::Weights(const ArrayFile& file, std::string_view name, std::span<const std::uint64_t> shape)
    : size_(count_of(shape)), columns_(shape.empty() ? 1 : shape.back()) {
  const auto& array = file.at(name);
  if (array.type != Type::I8 || !std::ranges::equal(array.shape, shape)) {
    floats_ = file.floats(name, shape);  // or throws with the actual type and shape
    return;
  }
  const std::uint64_t rows[] = {size_ / std::max<std::size_t>(columns_, 1), 1};
  scales_ = file.floats(scales_name(name), rows);
  narrow_ = {reinterpret_cast<const std::int8_t*>(array.bytes.data()), array.bytes.size()};
}

std::vector<float> Weights::read() const {
  if (narrow_.empty()) return {floats_.begin(), floats_.end()};
  std::vector<float> values(size_);
  for (std::size_t row = 0; row < scales_.size(); ++row) {
    const std::size_t begin = row * columns_;
    for (std::size_t i = begin; i < begin + columns_; ++i)
      values[i] = scales_[row] * static_cast<float>(narrow_[i]);
  }
  return values;
}

std::span<const float> Weights::values(std::vector<float>& converted) const {
  if (narrow_.empty()) return floats_;
  converted = read();
  return converted;
}

std::string scales_name(std::string_view name) {
  return base::concat(name, kScales);
}

bool is_scales(const ArrayFile& file, const Array& array) {
  if (!array.name.ends_with(kScales)) return false;
  const auto* of =
      file.find(std::string_view(array.name).substr(0, array.name.size() - kScales.size()));
  return of != nullptr && of->type == Type::I8;
}

bool can_be_narrow(std::span<const std::uint64_t> shape) {
  return shape.size() == 2 && shape[0] > 1 && shape[1] > 1;
}

float scale_of(std::span<const float> row) {
  float largest = 0;
  for (const float value : row) largest = std::max(largest, std::abs(value));
  return largest > 0 ? largest / kMaxLevel : 1;
}

void narrow_row(std::span<const float> row, float scale, std::span<std::int8_t> out) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    const float rounded = std::nearbyint(row[i] / scale);
    out[i] = static_cast<std::int8_t>(std::clamp(rounded, -kMaxLevel, kMaxLevel));
  }
}

}  // namespace awend::store
