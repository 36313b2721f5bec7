// Changes of single logits, and vectors over the vocabulary.  Test:
// tests/kernels/decoding_test.cpp, tests/kernels/loss_test.cpp.
#pragma once

#include <cstdint>
#include <span>

#include "nn/program.hpp"

namespace awend::nn {

/// Logits of all tokens, (rows, vocabulary, padded).
struct Logits {
  Tensor values;
  std::uint32_t vocabulary;
};

/// Adjustments of single logits of each row; see shaders/op_adjust.comp.
struct Adjustments {
  Tensor ranges;   ///< (rows, 2): begin and end of the changes of a row
  Tensor changes;  ///< (entries, 2): an id and the bits of a float; ids of a row are distinct
};
void adjust(Program& program, const Logits& logits, const Adjustments& adjustments);

/// The logit of a masked id.  A finite number, so that mixtures of models contain no NaN.
inline constexpr float kMaskedLogit = -1e30f;
/// Whether a search may produce a token with this log-probability.
constexpr bool is_possible(float log_probability) {
  return log_probability > kMaskedLogit / 2;
}

/// Adjustments that subtract so much from the logits of `ids` that their probability is 0, the same
/// for up to `rows` rows.
Adjustments mask_of(Program& program, std::span<const std::uint32_t> ids, std::uint32_t rows);

/// A vector over the vocabulary, (vocabulary, 1), or its gradient as a row: (1, vocabulary,
/// padded).
Tensor as_row(Program& program, const Tensor& vector);

}  // namespace awend::nn
