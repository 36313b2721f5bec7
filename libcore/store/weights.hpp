// The weights of a checkpoint in any storage type: F32, or I8 with a scale for each row, which
// takes a quarter of the space.
//
// A matrix NAME of I8 (rows, columns) has its scales in NAME.scale, F32 (rows, 1); a number is the
// integer times the scale of its row.  Rounding is symmetric: the scale is 1/127 of the largest
// magnitude in the row.  Test: tests/unit/store/weights_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/array_file.hpp"

namespace awend::store {

namespace keys {
/// The fixed scales of 8-bit products: a JSON object of weights, and what the left operands of
/// their products are multiplied with.  Converted models may have them.
inline constexpr std::string_view kActivationScales = "awend.activation-scales";
}  // namespace keys

/// A view of the numbers of one array, in row-major order.  Valid while the file is open.
class Weights {
 public:
  /// Throws Error naming file and array unless the array is F32 or I8 of this shape.
  Weights(const ArrayFile& file, std::string_view name, std::span<const std::uint64_t> shape);

  std::size_t size() const { return size_; }
  float operator[](std::size_t i) const {
    return narrow_.empty() ? floats_[i] : scales_[i / columns_] * static_cast<float>(narrow_[i]);
  }
  /// The numbers as they are in the file: floats, or integers and the scale of each row.  The spans
  /// of the other form are empty.
  std::span<const float> floats() const { return floats_; }
  std::span<const std::int8_t> integers() const { return narrow_; }
  std::span<const float> scales() const { return scales_; }
  std::vector<float> read() const;
  /// The values: those in the file, as long as that exists, or if they are I8, in `converted`.
  std::span<const float> values(std::vector<float>& converted) const;

 private:
  std::size_t size_;
  std::size_t columns_;
  std::span<const float> floats_, scales_;
  std::span<const std::int8_t> narrow_;
};

/// The name of the scales of an I8 matrix.
std::string scales_name(std::string_view name);
/// Whether an array of the file contains the scales of another.
bool is_scales(const ArrayFile& file, const Array& array);
/// Whether weights of this shape should be quantized: vectors should not.
bool can_be_narrow(std::span<const std::uint64_t> shape);

/// The scale of a row; 1 for a row of zeros.
float scale_of(std::span<const float> row);
/// The integers of a row with this scale.
void narrow_row(std::span<const float> row, float scale, std::span<std::int8_t> out);

}  // namespace awend::store
