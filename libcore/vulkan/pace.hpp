// The division of recorded work into submissions of bounded duration.
//
// The watchdog of a driver resets a device on which one submission runs for too long, on some after
// two seconds.  Work is therefore recorded in small slices, and as many of them are submitted
// together as are expected to take kSubmitSeconds.  At first the expectation is an estimate from
// operations and bytes for a slow device; then it follows the measured durations.
// Test: tests/unit/vulkan/pace_test.cpp, tests/kernels/pace_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "vulkan/device_type.hpp"

namespace awend::vulkan {

/// The expected duration of a submission; half of what is tolerable, because an estimate may be
/// wrong.
inline constexpr double kSubmitSeconds = 0.05;

/// What a dispatch does.
struct Work {
  double flops = 0;  ///< Floating-point operations.
  double bytes = 0;  ///< Read or written.
};

/// How fast a device is at least.
struct Speed {
  double flops_per_second;
  double bytes_per_second;
};

/// Assumed before anything is measured, and for the parts of a long operation (nn/parts.hpp): a
/// third of the peak of a device with 0.3 TFLOP/s, and more for discrete GPUs whose own memory is
/// large.
Speed assumed_speed(DeviceType type, std::uint64_t heap_bytes);

/// The time of a dispatch at that speed, without its launch.
double seconds_of(const Work& work, const Speed& speed);

/// How recorded work is submitted.
struct Pace {
  double submit_seconds = std::numeric_limits<double>::infinity();
  Speed speed{1, 1};

  bool is_bounded() const { return submit_seconds < std::numeric_limits<double>::infinity(); }
};

/// kSubmitSeconds on GPUs; on a CPU, which has no watchdog, everything is submitted at once.
Pace pace_of(DeviceType type, std::uint64_t heap_bytes);

/// The ends of the groups in which slices of these expected durations are submitted: each group
/// takes at most `submit_seconds`, unless it is a single slice.
std::vector<std::size_t> group_ends(std::span<const double> seconds, double submit_seconds);

/// The next correction factor of an estimate: slower at once, faster at most by half each time,
/// because the clock of a device varies.
double next_correction(double correction, double measured);

}  // namespace awend::vulkan
