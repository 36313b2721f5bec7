// Random sampling of tokens.  Test: tests/kernels/sampling_test.cpp.
#pragma once

#include <cstdint>

#include "nn/decoding.hpp"

namespace awend::nn {

struct Sampling {
  float temperature = 1;    ///< Above 0.  Logits are divided by it.
  std::uint32_t top_k = 0;  ///< Only that many most probable tokens; 0: all.
  float top_p = 1;          ///< Only the fewest of these with this share of their probability.
};

/// Samples one token of each row, (rows, 1).  `keys`, (rows, 2), are Philox keys: equal keys and
/// logits give equal tokens.  ln p is over all tokens, without temperature.  Modifies `logits` by
/// the adjustments.  A launch processes at most `step` rows: a multiple of 64, or 0 for as many as
/// a submission may.
TopK sample(Program& program, const Logits& logits, const Sampling& sampling,
            const TokenConstraints& constraints, const Tensor& keys, std::uint32_t step = 0);

}  // namespace awend::nn
