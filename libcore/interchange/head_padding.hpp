// Attention heads of sizes that are not multiples of four, which devices need: they are padded with
// zeros.  If scores are divided by the root of the size, that is the padded one instead of the
// original one, so that the weights of queries are multiplied by the root of their ratio.
//
// Test: tests/unit/interchange/head_padding_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "model/weight_layout.hpp"

namespace awend::interchange {

class HeadPadding {
 public:
  /// Pads the sizes of heads in `config`, if they need it.
  explicit HeadPadding(model::Config& config);

  /// The shape of a weight of `config` in the original.
  model::WeightShape original(const model::WeightShape& weight) const;
  /// The values of a weight of `config` from those of the original.
  std::vector<float> padded(std::vector<float> values, const model::WeightShape& weight) const;

 private:
  struct Side {
    std::uint32_t heads, size, padded;
  };
  const Side* padded_side(const model::WeightShape& weight) const;

  Side encoder_{}, decoder_{};
  bool divides_by_root_ = true;  // the scores
};

}  // namespace awend::interchange
