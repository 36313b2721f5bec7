// A simpler simple recurrent unit (Kim et al., 2019) in place of the self-attention of a decoder
// layer: the state of a token depends on the state of the token before it, so that a step of a
// search takes the same time for every token.  Test: tests/learn/gradient_test.cpp,
// tests/properties/toolkit_settings_test.cpp.
#pragma once

#include <optional>
#include <string>

#include "model/config.hpp"
#include "nn/operations.hpp"

namespace awend::model {

/// input and forget (d_model, d_model), forget_bias (1, d_model), and with ssru_projection a
/// projection of the output and its bias.
struct SsruWeights {
  nn::Parameter input, forget, forget_bias;
  std::optional<nn::Parameter> output, output_bias;
};

SsruWeights declare_ssru(nn::Parameters& parameters, const Config& config, const std::string& name);

/// The rows over which an SSRU runs.
struct SsruRows {
  nn::Tensor ranges;  ///< (sentences, 2): first row and end of each sentence
  /// In a search, a sentence is the last token of a hypothesis.
  struct Cache {
    nn::Tensor before;  ///< (rows, d_model): the states before the tokens
    nn::Tensor states;  ///< Cache rows: states after tokens of hypotheses.
    nn::Tensor places;  ///< (rows, 1): where the new states are stored
  };
  std::optional<Cache> cache = {};
};

/// (rows, d_model)
nn::Tensor ssru(nn::Graph& graph, const SsruWeights& weights, const nn::Tensor& x,
                const SsruRows& rows);

}  // namespace awend::model
