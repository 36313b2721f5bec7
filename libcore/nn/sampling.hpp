// Tokens drawn by chance.  Test: tests/kernels/sampling_test.cpp.
#pragma once

#include <cstdint>

#include "nn/decoding.hpp"

namespace awend::nn {

struct Sampling {
  float temperature = 1;    ///< Above 0.  Logits are divided by it.
  std::uint32_t top_k = 0;  ///< Only the so many most probable tokens; 0: all.
  float top_p = 1;          ///< Of those, only the fewest that have this share of the probability.
};

/// One token of the softmax of each row, (rows, 1).  `draws`, (rows, 2), are Philox keys: equal
/// keys and logits give equal tokens.  ln p is without temperature, of all tokens.  Adjustments are
/// made in `logits`.
TopK sample(Program& program, const Logits& logits, const Sampling& sampling,
            const TokenConstraints& constraints, const Tensor& draws);

}  // namespace awend::nn
