// The loss scale for fp16, in which gradients below 6e-8 are zero and above 65504 infinite: the
// loss is multiplied before the backward pass, and Adam divides the gradients.
//
// The scale is a power of two, so that neither rounds.  It is halved after a gradient that is not
// finite, and doubled after 2000 updates without one.  Test: tests/unit/train/loss_scale_test.cpp.
#pragma once

#include <cstdint>

#include "nn/element.hpp"

namespace awend::train {

struct LossScale {
  double value = 1;
  std::uint64_t updates = 0;  ///< Since the last change.

  bool can_fall() const { return value > 1; }
};

/// The initial scale: 65536 for fp16; otherwise 1, which never changes.
LossScale first_scale(nn::Element precision);

/// The scale after an update with a gradient that was `finite` or not.
LossScale next_scale(LossScale scale, nn::Element precision, bool finite);

}  // namespace awend::train
