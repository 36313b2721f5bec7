// Parameters of kernels with dropout.
#pragma once

#include <cstdint>

namespace awend::nn {

/// An element is dropped if its random word is below `threshold`, otherwise multiplied by `scale`.
struct DropoutNumbers {
  std::uint32_t drops;  ///< 0 or 1, a specialization constant
  std::uint32_t threshold;
  float scale;
};

/// Throws Error unless 0 ≤ probability < 1.
DropoutNumbers dropout_numbers(double probability);

}  // namespace awend::nn
