#include "model/transformer/layers.hpp"

#include <cmath>
#include <functional>

namespace awend::model {
namespace {

struct ProjectionShape {
  std::uint32_t rows, columns;
  Switch bias;
};

Projection declare_projection(nn::Parameters& parameters, const std::string& name,
                              const ProjectionShape& shape) {
  Projection made{
      .weight = parameters.add(name, shape.rows, shape.columns, nn::Initializer::kGlorotUniform),
      .bias = std::nullopt};
  if (shape.bias == Switch::kOn)
    made.bias = parameters.add(name + "_bias", 1, shape.columns, nn::Initializer::kZero);
  return made;
}

AttentionProjections declare_attention(nn::Parameters& parameters, const Config& config,
                                       const std::string& name) {
  const auto matrix = [&](const char* part, std::uint32_t rows, std::uint32_t columns) {
    return declare_projection(parameters, name + "." + part,
                              {rows, columns, config.transformer.attention_bias});
  };
  return {
      .query = matrix("query", config.d_model, config.transformer.heads * config.transformer.d_k),
      .key = matrix("key", config.d_model, config.transformer.heads * config.transformer.d_k),
      .value = matrix("value", config.d_model, config.transformer.heads * config.transformer.d_v),
      .output =
          matrix("output", config.transformer.heads * config.transformer.d_v, config.d_model)};
}

FeedForward declare_feed_forward(nn::Parameters& parameters, const Config& config,
                                 const std::string& name) {
  const auto& transformer = config.transformer;
  const auto matrix = [&](const char* part, std::uint32_t rows, std::uint32_t columns) {
    return declare_projection(parameters, name + "." + part,
                              {rows, columns, transformer.feed_forward_bias});
  };
  FeedForward made;
  if (transformer.feed_forward == FeedForwardKind::kGated)
    made.gate = matrix("gate", config.d_model, transformer.d_ff);
  made.inner = matrix("inner", config.d_model, transformer.d_ff);
  made.outer = matrix("outer", transformer.d_ff, config.d_model);
  return made;
}

nn::AttentionShape shape_of(const Config& config, double dropout,
                            const std::optional<nn::RelativeBias>& bias = {}) {
  const auto& transformer = config.transformer;
  return {transformer.heads, transformer.d_k, transformer.d_v, dropout, bias};
}

/// The sum over values, before the output projection.
struct Attend {
  nn::Graph& graph;
  const Config& config;
  const AttentionProjections& projections;
  const nn::Tensor& x;

  nn::Tensor operator()(const FreshKeyValues& fresh) const {
    const nn::Projections all{.q = query(),
                              .k = project(graph, fresh.memory, projections.key),
                              .v = project(graph, fresh.memory, projections.value)};
    return nn::attention(graph, all, fresh.ranges,
                         shape_of(config, config.transformer.attention_dropout, fresh.bias));
  }

  nn::Tensor operator()(const TokenCache& cache) const {
    nn::store_rows(graph, project(graph, x, projections.key), cache.keys, cache.places);
    nn::store_rows(graph, project(graph, x, projections.value), cache.values, cache.places);
    return nn::cached_attention(graph, {query(), cache.keys, cache.values}, cache.ancestors,
                                shape_of(config, 0, cache.bias));
  }

  nn::Tensor operator()(const SourceCache& cache) const {
    return nn::portable_attention(graph, {query(), cache.keys, cache.values},
                                  {cache.ranges, cache.ranges}, shape_of(config, 0));
  }

 private:
  /// Kernels divide scores by √d_k.
  nn::Tensor query() const {
    const nn::Tensor q = project(graph, x, projections.query);
    if (config.transformer.attention_scale == AttentionScale::kInverseRootOfKeys) return q;
    return nn::scaled(graph, q, std::sqrt(static_cast<double>(config.transformer.d_k)));
  }
};

/// f(x W1 + b1), or f(x Wg + bg) · (x W1 + b1)
nn::Tensor inner_layer(const LayerContext& context, const FeedForward& weights,
                       const nn::Tensor& x) {
  const auto activation = context.config.transformer.activation;
  if (!weights.gate)
    return nn::linear(context.graph, x, weights.inner.weight, weights.inner.bias, activation);
  const nn::Tensor gate = project(context.graph, x, *weights.gate);
  return nn::gated_activation(context.graph, gate, project(context.graph, x, weights.inner),
                              activation);
}

/// inner_layer(x) W2 + b2
nn::Tensor feed_forward(const LayerContext& context, const FeedForward& weights,
                        const nn::Tensor& x) {
  const nn::Tensor inner = inner_layer(context, weights, x);
  return project(context.graph,
                 nn::dropout(context.graph, inner, context.config.transformer.relu_dropout),
                 weights.outer);
}

/// The residual connection around a sublayer: norm(x + dropout(f(x))), or x + dropout(f(norm(x)))
/// with pre-norm.
nn::Tensor sublayer(const LayerContext& context, const LayerNormParameters& norm,
                    const nn::Tensor& x, const std::function<nn::Tensor(const nn::Tensor&)>& f) {
  const auto& [graph, config, bias] = context;
  if (config.transformer.norm == Norm::kPre) {
    return nn::residual(graph, x, f(layer_norm(context, x, norm)), config.dropout);
  }
  return layer_norm(context, nn::residual(graph, x, f(x), config.dropout), norm);
}

}  // namespace

nn::Tensor project(nn::Graph& graph, const nn::Tensor& x, const Projection& projection) {
  return nn::linear(graph, x, projection.weight, projection.bias);
}

nn::Tensor layer_norm(const LayerContext& context, const nn::Tensor& x,
                      const LayerNormParameters& norm) {
  const double epsilon = context.config.transformer.norm_epsilon;
  if (!norm.bias) return nn::rms_norm(context.graph, x, norm.gain, epsilon);
  return nn::layer_norm(context.graph, x,
                        {.gain = norm.gain, .bias = *norm.bias, .epsilon = epsilon});
}

LayerNormParameters declare_norm(nn::Parameters& parameters, const Config& config,
                                 const std::string& name) {
  LayerNormParameters made{
      .gain = parameters.add(name + ".gain", 1, config.d_model, nn::Initializer::kOne),
      .bias = std::nullopt};
  if (config.transformer.norm_kind == NormKind::kLayer)
    made.bias = parameters.add(name + ".bias", 1, config.d_model, nn::Initializer::kZero);
  return made;
}

EncoderLayer declare_encoder_layer(nn::Parameters& parameters, const Config& config,
                                   const std::string& name) {
  return {.self = declare_attention(parameters, config, name + ".self"),
          .self_norm = declare_norm(parameters, config, name + ".self_norm"),
          .feed_forward = declare_feed_forward(parameters, config, name + ".feed_forward"),
          .feed_forward_norm = declare_norm(parameters, config, name + ".feed_forward_norm")};
}

DecoderLayer declare_decoder_layer(nn::Parameters& parameters, const Config& config,
                                   const std::string& name) {
  const bool is_ssru = has_ssru(config);
  const std::string self = name + (is_ssru ? ".ssru" : ".self");
  const auto declare_self = [&]() -> std::variant<AttentionProjections, SsruWeights> {
    if (is_ssru) return declare_ssru(parameters, config, self);
    return declare_attention(parameters, config, self);
  };
  return {.self = declare_self(),
          .self_norm = declare_norm(parameters, config, self + "_norm"),
          .cross = declare_attention(parameters, config, name + ".cross"),
          .cross_norm = declare_norm(parameters, config, name + ".cross_norm"),
          .feed_forward = declare_feed_forward(parameters, config, name + ".feed_forward"),
          .feed_forward_norm = declare_norm(parameters, config, name + ".feed_forward_norm")};
}

nn::Tensor attend(const LayerContext& context, const AttentionProjections& projections,
                  const nn::Tensor& x, const KeyValues& key_values) {
  return project(context.graph,
                 std::visit(Attend{context.graph, context.config, projections, x}, key_values),
                 projections.output);
}

nn::Tensor encoder_layer(const LayerContext& context, const EncoderLayer& layer,
                         const nn::Tensor& x, const nn::AttentionRanges& ranges) {
  const nn::Tensor attended = sublayer(context, layer.self_norm, x, [&](const nn::Tensor& y) {
    return attend(context, layer.self, y, FreshKeyValues{y, ranges, context.self_bias});
  });
  return sublayer(context, layer.feed_forward_norm, attended, [&](const nn::Tensor& y) {
    return feed_forward(context, layer.feed_forward, y);
  });
}

namespace {

/// The first sublayer of a decoder layer, which reads the tokens before each row.
nn::Tensor read_previous(const LayerContext& context, const DecoderLayer& layer,
                         const nn::Tensor& x, const DecoderLayerInputs& inputs) {
  if (const auto* weights = std::get_if<SsruWeights>(&layer.self))
    return ssru(context.graph, *weights, x, std::get<SsruRows>(inputs.self));
  const auto& projections = std::get<AttentionProjections>(layer.self);
  if (const auto* cache = std::get_if<TokenCache>(&inputs.self)) {
    TokenCache biased = *cache;
    biased.bias = context.self_bias;
    return attend(context, projections, x, biased);
  }
  const auto& ranges = std::get<nn::AttentionRanges>(inputs.self);
  return attend(context, projections, x, FreshKeyValues{x, ranges, context.self_bias});
}

}  // namespace

nn::Tensor decoder_layer(const LayerContext& context, const DecoderLayer& layer,
                         const nn::Tensor& x, const DecoderLayerInputs& inputs) {
  const nn::Tensor self = sublayer(context, layer.self_norm, x, [&](const nn::Tensor& y) {
    return read_previous(context, layer, y, inputs);
  });
  const nn::Tensor cross = sublayer(context, layer.cross_norm, self, [&](const nn::Tensor& y) {
    return attend(context, layer.cross, y, inputs.cross);
  });
  return sublayer(context, layer.feed_forward_norm, cross, [&](const nn::Tensor& y) {
    return feed_forward(context, layer.feed_forward, y);
  });
}

}  // namespace awend::model
