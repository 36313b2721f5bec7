// The layers of the Transformer (sections 3.1 to 3.3 of the paper) and their parameters.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "model/config.hpp"
#include "model/transformer/ssru.hpp"
#include "nn/decoding.hpp"
#include "nn/operations.hpp"

namespace awend::model {

/// A matrix and, with attention_bias, a bias (1, columns).
struct Projection {
  nn::Parameter weight;
  std::optional<nn::Parameter> bias;
};
/// Projections of multi-head attention: query and key (d_model, heads · d_k), value (d_model,
/// heads · d_v), output (heads · d_v, d_model).
struct AttentionProjections {
  Projection query, key, value, output;
};
/// Gain and, with NormKind::kLayer, bias, (1, d_model) each.
struct LayerNormParameters {
  nn::Parameter gain;
  std::optional<nn::Parameter> bias;
};
/// gate, if the network is gated, and inner (d_model, d_ff), outer (d_ff, d_model), and their
/// biases.
struct FeedForward {
  std::optional<Projection> gate;
  Projection inner, outer;
};

struct EncoderLayer {
  AttentionProjections self;
  LayerNormParameters self_norm;
  FeedForward feed_forward;
  LayerNormParameters feed_forward_norm;
};

struct DecoderLayer {
  std::variant<AttentionProjections, SsruWeights> self;
  LayerNormParameters self_norm;
  AttentionProjections cross;
  LayerNormParameters cross_norm;
  FeedForward feed_forward;
  LayerNormParameters feed_forward_norm;
};

nn::Tensor project(nn::Graph& graph, const nn::Tensor& x, const Projection& projection);

LayerNormParameters declare_norm(nn::Parameters& parameters, const Config& config,
                                 const std::string& name);
EncoderLayer declare_encoder_layer(nn::Parameters& parameters, const Config& config,
                                   const std::string& name);
DecoderLayer declare_decoder_layer(nn::Parameters& parameters, const Config& config,
                                   const std::string& name);

/// Keys and values projected from `memory`, (key rows, d_model).
struct FreshKeyValues {
  nn::Tensor memory;
  nn::AttentionRanges ranges;
  std::optional<nn::RelativeBias> bias = {};  ///< With relative positions, in self-attention.
};
/// Cache rows of the hypotheses' own tokens.  The rows of the last tokens are projected from the
/// queries' input and stored at `places`, (query rows, 1), before attention.
struct TokenCache {
  nn::Tensor keys, values;
  nn::Tensor places;
  nn::Ancestors ancestors;
  std::optional<nn::RelativeBias> bias = {};  ///< decoder_layer() sets it.
};
/// Cache rows of source sentences, which the encoder has stored.
struct SourceCache {
  nn::Tensor keys, values;
  nn::Tensor ranges;  ///< (query rows, 2)
};
/// Where an attention takes its keys and values from.
using KeyValues = std::variant<FreshKeyValues, TokenCache, SourceCache>;

/// Where layers are appended, and their settings: in the decoder, those of decoder_side().
struct LayerContext {
  nn::Graph& graph;
  const Config& config;
  /// With relative positions, the biases of self-attention of all layers.
  std::optional<nn::RelativeBias> self_bias = {};
};

nn::Tensor layer_norm(const LayerContext& context, const nn::Tensor& x,
                      const LayerNormParameters& norm);

/// Multi-head attention with queries from `x`.
nn::Tensor attend(const LayerContext& context, const AttentionProjections& projections,
                  const nn::Tensor& x, const KeyValues& key_values);

/// `x` through one layer.
nn::Tensor encoder_layer(const LayerContext& context, const EncoderLayer& layer,
                         const nn::Tensor& x, const nn::AttentionRanges& ranges);

/// What one decoder layer reads besides its input.
struct DecoderLayerInputs {
  /// Of the tokens before each row: with self-attention, ranges of the rows of its input, or a
  /// cache.
  std::variant<nn::AttentionRanges, TokenCache, SsruRows> self;
  KeyValues cross;
};
nn::Tensor decoder_layer(const LayerContext& context, const DecoderLayer& layer,
                         const nn::Tensor& x, const DecoderLayerInputs& inputs);

}  // namespace awend::model
