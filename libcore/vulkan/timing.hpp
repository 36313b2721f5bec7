// Durations of recorded work.
#pragma once

#include <string>

namespace awend::vulkan {

/// Whether each launch is timed.
enum class Timing { kOff, kOn };

/// The duration of one launch.
struct Timed {
  std::string kernel;
  double nanoseconds;
};

}  // namespace awend::vulkan
