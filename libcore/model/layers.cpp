#include "model/layers.hpp"

namespace awend::model {

AttentionWeights declare_attention(nn::Parameters& parameters, const Config& config,
                                   const std::string& name) {
  const auto matrix = [&](const char* part, std::uint32_t rows, std::uint32_t columns) {
    return parameters.add(name + "." + part, rows, columns, nn::Initializer::kGlorotUniform);
  };
  return {.query = matrix("query", config.d_model, config.heads * config.d_k),
          .key = matrix("key", config.d_model, config.heads * config.d_k),
          .value = matrix("value", config.d_model, config.heads * config.d_v),
          .output = matrix("output", config.heads * config.d_v, config.d_model)};
}

LayerNormParameters declare_norm(nn::Parameters& parameters, const Config& config,
                                 const std::string& name) {
  return {.gain = parameters.add(name + ".gain", 1, config.d_model, nn::Initializer::kOne),
          .bias = parameters.add(name + ".bias", 1, config.d_model, nn::Initializer::kZero)};
}

FeedForward declare_feed_forward(nn::Parameters& parameters, const Config& config,
                                 const std::string& name) {
  return {
      .inner = parameters.add(name + ".inner", config.d_model, config.d_ff,
                              nn::Initializer::kGlorotUniform),
      .inner_bias = parameters.add(name + ".inner_bias", 1, config.d_ff, nn::Initializer::kZero),
      .outer = parameters.add(name + ".outer", config.d_ff, config.d_model,
                              nn::Initializer::kGlorotUniform),
      .outer_bias =
          parameters.add(name + ".outer_bias", 1, config.d_model, nn::Initializer::kZero)};
}

nn::Tensor attend(nn::Graph& graph, const Config& config, const AttentionWeights& weights,
                  const nn::Tensor& x, const nn::Tensor& memory,
                  const nn::AttentionRanges& ranges) {
  const nn::Projections projections{.q = nn::linear(graph, x, weights.query),
                                    .k = nn::linear(graph, memory, weights.key),
                                    .v = nn::linear(graph, memory, weights.value)};
  const nn::AttentionShape shape{config.heads, config.d_k, config.d_v, config.attention_dropout};
  return nn::linear(graph, nn::attention(graph, projections, ranges, shape), weights.output);
}

nn::Activation activation_of(const Config& config) {
  switch (config.activation) {
    case Activation::kRelu:
      return nn::Activation::kRelu;
    case Activation::kGelu:
      return nn::Activation::kGelu;
    case Activation::kSwish:
      return nn::Activation::kSwish;
  }
  return nn::Activation::kNone;
}

nn::Tensor feed_forward(nn::Graph& graph, const Config& config, const FeedForward& weights,
                        const nn::Tensor& x) {
  const nn::Tensor inner =
      nn::linear(graph, x, weights.inner, weights.inner_bias, activation_of(config));
  return nn::linear(graph, nn::dropout(graph, inner, config.relu_dropout), weights.outer,
                    weights.outer_bias);
}

nn::Tensor sublayer(nn::Graph& graph, const Config& config, const LayerNormParameters& norm,
                    const nn::Tensor& x, const std::function<nn::Tensor(const nn::Tensor&)>& f) {
  if (config.norm == Norm::kPre) {
    return nn::residual(graph, x, f(nn::layer_norm(graph, x, norm.gain, norm.bias)),
                        config.dropout);
  }
  return nn::layer_norm(graph, nn::residual(graph, x, f(x), config.dropout), norm.gain, norm.bias);
}

}  // namespace awend::model
