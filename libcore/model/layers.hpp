// The paper's layers (sections 3.1 to 3.3), and the parameters each of them has.
#pragma once

#include <functional>
#include <string>

#include "model/config.hpp"
#include "nn/operations.hpp"

namespace awend::model {

/// Projections of multi-head attention, without biases: query and key (d_model, heads · d_k), value
/// (d_model, heads · d_v), output (heads · d_v, d_model).
struct AttentionWeights {
  nn::Parameter query, key, value, output;
};
/// Gain and bias, (1, d_model) each.
struct LayerNormParameters {
  nn::Parameter gain, bias;
};
/// inner (d_model, d_ff), outer (d_ff, d_model), and their biases.
struct FeedForward {
  nn::Parameter inner, inner_bias, outer, outer_bias;
};

AttentionWeights declare_attention(nn::Parameters& parameters, const Config& config,
                                   const std::string& name);
LayerNormParameters declare_norm(nn::Parameters& parameters, const Config& config,
                                 const std::string& name);
FeedForward declare_feed_forward(nn::Parameters& parameters, const Config& config,
                                 const std::string& name);

/// Queries from `x`, keys and values from `memory`.
nn::Tensor attend(nn::Graph& graph, const Config& config, const AttentionWeights& weights,
                  const nn::Tensor& x, const nn::Tensor& memory, const nn::AttentionRanges& ranges);

/// max(0, x W1 + b1) W2 + b2
nn::Tensor feed_forward(nn::Graph& graph, const Config& config, const FeedForward& weights,
                        const nn::Tensor& x);

/// The connection around a sub-layer: norm(x + dropout(f(x))), or x + dropout(f(norm(x))) for
/// pre-norm models.
nn::Tensor sublayer(nn::Graph& graph, const Config& config, const LayerNormParameters& norm,
                    const nn::Tensor& x, const std::function<nn::Tensor(const nn::Tensor&)>& f);

}  // namespace awend::model
