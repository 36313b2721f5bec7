// Dropout of elements, with the random numbers of the kernels (shaders/lib/philox.glsl).
#pragma once

#include <cstdint>

namespace awend::host {

/// One use of dropout in one update.
struct Dropout {
  std::uint32_t seed_low;
  std::uint32_t seed_high;
  std::uint32_t step;
  std::uint32_t site;       ///< Identifies this use of dropout in the model.
  std::uint32_t threshold;  ///< A smaller random word drops its element.
  float scale;              ///< Of the other elements: 1 / (1 − probability).
};

}  // namespace awend::host
