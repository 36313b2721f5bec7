// How parameters start: values drawn from a seed and a parameter's number, the same on every
// device.
#pragma once

#include <cstdint>
#include <vector>

namespace awend::nn {

/// How a parameter starts.
enum class Initializer {
  kGlorotUniform,  ///< U(±√(6 / (rows + columns))), as tensor2tensor does.
  kEmbedding,      ///< N(0, columns^−½)
  kZero,
  kOne,
};

struct InitializerShape {
  std::uint32_t rows, columns;
  std::uint32_t index;  ///< Of the parameter among those of its model.
};

/// (rows, columns), row-major.
std::vector<float> initial_values(const InitializerShape& shape, Initializer start,
                                  std::uint64_t seed);

}  // namespace awend::nn
