// The arrays of a model of another toolkit, and where each weight of a checkpoint is among them.
//
// Test: tests/unit/interchange/foreign_weights_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "interchange/converted_model.hpp"
#include "model/weight_layout.hpp"
#include "store/strided_array.hpp"

namespace awend::interchange {

/// Where another toolkit keeps a weight.
struct Location {
  enum class Order {
    kSame,        ///< (inputs, outputs), as in a checkpoint, or a table of rows
    kTransposed,  ///< (outputs, inputs)
  };

  std::string name;
  Order order = Order::kSame;
  /// Of several weights side by side in one array: the number of all outputs, and which of them is
  /// output i of this weight.  0: the array is this weight.
  std::uint32_t all_outputs = 0;
  std::function<std::uint32_t(std::uint32_t)> output_of = {};
  /// The value of all elements if the array is missing, which is otherwise an Error.
  std::optional<float> if_missing = {};
};

/// A matrix (rows, columns) as (columns, rows).
std::vector<float> transposed(const std::vector<float>& values, std::size_t rows);

/// Finds a weight.
using Locate = std::function<Location(const model::WeightShape& weight)>;

class ForeignWeights {
 public:
  /// `dequantize`, if any, multiplies the integers of the array of this name.
  using Dequantize = std::function<void(const std::string& name, std::vector<float>& values)>;
  explicit ForeignWeights(store::StridedArrays arrays, Dequantize dequantize = {})
      : arrays_(std::move(arrays)), dequantize_(std::move(dequantize)) {}

  /// Calls `release` after parts of large arrays were read, so that their pages need not be
  /// resident.
  void after_reading(std::function<void()> release) { release_ = std::move(release); }

  bool has(std::string_view name) const { return arrays_.contains(name); }
  /// The shape of an array; throws Error "no array 'NAME'" if there is none.
  const std::vector<std::uint64_t>& shape(std::string_view name) const;
  /// The elements of an array.
  std::vector<float> values(const std::string& name);
  /// The rows of a matrix after the first ones.  Throws Error naming the array if it has no others,
  /// or another number of columns.
  std::vector<float> rows_after(const std::string& name, std::uint32_t first,
                                std::uint32_t columns);
  /// Whether two arrays have the same elements; large ones are compared in parts.
  bool are_same(const std::string& a, const std::string& b);

  /// The values of a weight in the order of a checkpoint.  Throws Error naming the array if it is
  /// missing, or has another shape than the weight requires.
  std::vector<float> read(const Location& location, const model::WeightShape& weight);
  /// Reads all weights that model.config describes, except those that `model` has.  Pads heads,
  /// whose sizes in model.config may be any (interchange/head_padding.hpp).
  void read_all(ConvertedModel& model, const Locate& locate);

  /// These arrays have no effect.  A name that ends in * matches all names that begin so.
  void ignore(std::string_view name);
  /// Throws Error naming the first array that was neither read nor ignored.
  void require_all_known() const;

 private:
  std::vector<float> floats_of(const store::StridedArray& array) const;

  store::StridedArrays arrays_;
  Dequantize dequantize_;
  std::function<void()> release_;
  std::set<std::string, std::less<>> known_;
};

/// Reads a table (buckets, heads) of relative positions as the weight `ours`, "source_…" or
/// "target_relative_positions", which is a column.
void read_relative_positions(ForeignWeights& weights, const std::string& theirs,
                             const std::string& ours, ConvertedModel& model);

}  // namespace awend::interchange
