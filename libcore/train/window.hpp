// What the next line of the log reports: sums over the updates since the last one.  Test:
// tests/unit/train/log_test.cpp.
#pragma once

#include <cstdint>

#include "forward/losses.hpp"
#include "train/update.hpp"

namespace awend::train {

/// Checkpoints contain it, so that a resumed run writes the same lines as one without interruption.
struct Window {
  forward::Losses losses;     ///< Of applied updates.
  std::uint64_t updates = 0;  ///< Applied ones.
  double norms = 0;           ///< The sum of their gradient norms.
  double seconds = 0;         ///< Of all updates.
  std::uint64_t tokens = 0;   ///< Of all updates.

  void add(const Update& update, double update_seconds);
};

}  // namespace awend::train
