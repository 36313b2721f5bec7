// Initial values of parameters, from a seed and the index of the parameter; the same on all
// devices.
#pragma once

#include <cstdint>
#include <vector>

namespace awend::nn {

/// The distribution of initial values.
enum class Initializer {
  kGlorotUniform,  ///< U(±√(6 / (rows + columns))), as in tensor2tensor.
  kEmbedding,      ///< N(0, columns^−½)
  kSmallNormal,    ///< N(0, 0.1), as in memory networks (Sukhbaatar et al., 2015).
  kZero,
  kOne,
};

struct InitializerShape {
  std::uint32_t rows, columns;
  std::uint32_t index;  ///< Of the parameter among those of its model.
};

/// (rows, columns), row-major.
std::vector<float> initial_values(const InitializerShape& shape, Initializer initializer,
                                  std::uint64_t seed);

}  // namespace awend::nn
