// The result of an update, and what is counted over all updates.
#pragma once

#include <cmath>
#include <cstdint>

#include "forward/losses.hpp"
#include "train/loss_scale.hpp"

namespace awend::train {

/// Counted from the first update and kept in checkpoints.
struct UpdateCounts {
  std::uint64_t step = 0;     ///< Updates, skipped ones included.
  std::uint64_t learned = 0;  ///< Updates that the moments contain.
  std::uint64_t skipped = 0;  ///< Updates that changed nothing because the gradient was not finite.
  /// Consecutive ones at the end, without those whose loss scale was only too large.
  std::uint64_t skipped_in_row = 0;
  LossScale scale = {};
};

struct Update {
  forward::Losses losses = {};
  double rate = 0;
  double gradient_norm = 0;  ///< Before clipping; not finite if the update was skipped.

  bool applied() const { return std::isfinite(gradient_norm); }
};

}  // namespace awend::train
