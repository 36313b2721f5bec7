// Simpler simple recurrent units (Kim et al., 2019): states that forget as gates of the input of
// each token say, without products of the state.  Test: tests/kernels/ssru_test.cpp.
#pragma once

#include <optional>

#include "nn/limits.hpp"
#include "nn/parameters.hpp"

namespace awend::nn {

class Graph;

struct SsruInputs {
  Tensor ranges;                       ///< (sentences, 2): first row and end of each sentence
  Tensor candidate;                    ///< (rows, d): what the state becomes without memory
  Tensor forget;                       ///< (rows, d): the logit of the share of the old state
  std::optional<Tensor> initial = {};  ///< (sentences, d), in inference only; default: zero
  enum class States { kInternal, kOutput } result = States::kInternal;
};

struct SsruLayer {
  Tensor outputs;                ///< (rows, d): the positive parts of the states
  std::optional<Tensor> states;  ///< (rows, d): after each row, with States::kOutput
};

/// The most rows of a sentence.
inline constexpr auto kMaxSsruRows = static_cast<std::uint32_t>(kMaxIterations);

/// c' = f c + (1 − f) candidate with f = σ(forget), row by row of each sentence.
SsruLayer ssru(Graph& graph, const SsruInputs& inputs);

}  // namespace awend::nn
