// The learning rate (section 5.3 of the paper): up in a straight line for `warmup` steps, then down
// with the square root.
//
//   rate = d_model^-½ · min(step^-½, step · warmup^-3/2)
//
// Its peak, at step `warmup`, is (d_model · warmup)^-½; another peak scales the whole curve.
// Test: tests/unit/train/schedule_test.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace awend::train {

struct Schedule {
  double peak;
  double warmup;

  static double paper_peak(std::uint32_t d_model, std::uint32_t warmup) {
    return 1 / std::sqrt(static_cast<double>(d_model) * warmup);
  }

  /// `step` counts from 1.
  double rate(std::uint64_t step) const {
    const auto at = static_cast<double>(step);
    return peak * std::min(at / warmup, std::sqrt(warmup / at));
  }
};

}  // namespace awend::train
