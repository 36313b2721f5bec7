// The learning rate (section 5.3 of the paper): up in a straight line for `warmup` steps, then down
// with the square root.
//
//   rate = d_model^-½ · min(step^-½, step · warmup^-3/2)
//
// Its peak, at step `warmup`, is (d_model · warmup)^-½; another peak scales the whole curve.  Other
// curves go up in the same way, and then stay, or go down to 0 at step `end` in a straight line or
// along half a cosine (Loshchilov and Hutter, 2017), or halve the rate every `end` steps.
//
// If training has several phases, the rate stays at its peak until the last one begins, at step
// `start`.  Test: tests/unit/train/schedule_test.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace awend::train {

enum class Curve { kInverseSquareRoot, kConstant, kLinear, kCosine, kHalving };

/// Whether the curve needs Schedule::end, which a resumed run must keep.
constexpr bool has_steps(Curve curve) {
  return curve != Curve::kConstant && curve != Curve::kInverseSquareRoot;
}

struct Schedule {
  double peak;
  double warmup;
  Curve curve = Curve::kInverseSquareRoot;
  double end = 0;    // of kLinear and kCosine; of kHalving the steps between
  double start = 0;  // the updates before the last phase of training

  static double paper_peak(std::uint32_t d_model, std::uint32_t warmup) {
    return 1 / std::sqrt(static_cast<double>(d_model) * warmup);
  }

  /// `step` counts from 1.
  double rate(std::uint64_t step) const {
    const auto at = static_cast<double>(step);
    if (at < warmup) return peak * (at / warmup);
    const double begin = std::max(warmup, start);
    if (at <= begin) return peak;
    const double way = end > begin ? std::min(1.0, (at - begin) / (end - begin)) : 1;
    switch (curve) {
      case Curve::kInverseSquareRoot:
        return peak * std::sqrt(begin / at);
      case Curve::kConstant:
        return peak;
      case Curve::kLinear:
        return peak * (1 - way);
      case Curve::kCosine:
        return peak * (1 + std::cos(std::numbers::pi * way)) / 2;
      case Curve::kHalving:
        return peak * std::pow(0.5, std::floor((at - 1 - begin) / end));
    }
    return peak;
  }
};

}  // namespace awend::train
