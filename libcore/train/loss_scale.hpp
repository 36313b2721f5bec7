// The scale of the loss in fp16: gradients below 6e-8 would be zero, those above 65504 infinite, so
// the loss is multiplied before the backward pass and Adam divides again.
//
// The scale is a power of two, so that neither rounds.  It is halved when a gradient was not
// finite, and doubled after 2000 updates without such a one.  Test:
// tests/unit/train/loss_scale_test.cpp.
#pragma once

#include <cstdint>

#include "nn/element.hpp"

namespace awend::train {

struct LossScale {
  double value = 1;
  std::uint64_t updates = 0;  ///< Since it last changed.

  bool can_fall() const { return value > 1; }
};

/// What a run starts with: 65536 for fp16, 1, for ever, otherwise.
LossScale first_scale(nn::Element precision);

/// The scale after an update whose gradient was finite, or not.
LossScale next_scale(LossScale scale, nn::Element precision, bool finite);

}  // namespace awend::train
