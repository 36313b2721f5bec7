#include "model/transformer/network.hpp"

#include "base/error.hpp"
#include "model/sinusoids.hpp"

namespace awend::model {

TransformerNetwork::TransformerNetwork(const Config& config, nn::Parameters& parameters)
    : config_(config) {
  validate(config);
  const auto table = [&](const char* name) {
    return parameters.add(name, config.vocabulary, config.d_model, nn::Initializer::kEmbedding);
  };
  // Section 3.4: one matrix for both embeddings and the projection, unless configured otherwise.
  if (config.tie == Tie::kAll) {
    source_embedding_ = target_embedding_ = projection_ = table("embedding");
  } else {
    source_embedding_ = table("source_embedding");
    target_embedding_ = table("target_embedding");
    projection_ = config.tie == Tie::kDecoder ? target_embedding_ : table("projection");
  }
  if (config.positions == Positions::kLearned) {
    const auto positions = [&](const char* name) {
      return parameters.add(name, config.longest, config.d_model, nn::Initializer::kEmbedding);
    };
    source_positions_ = positions("source_positions");
    target_positions_ = positions("target_positions");
  }
  for (std::uint32_t i = 0; i < config.encoder_layers; ++i) {
    encoder_.push_back(declare_encoder_layer(parameters, config, base::concat("encoder.", i)));
  }
  for (std::uint32_t i = 0; i < config.decoder_layers; ++i) {
    decoder_.push_back(declare_decoder_layer(parameters, config, base::concat("decoder.", i)));
  }
  if (config.norm == Norm::kPre) {
    encoder_norm_ = declare_norm(parameters, config, "encoder.norm");
    decoder_norm_ = declare_norm(parameters, config, "decoder.norm");
  }
}

nn::PositionTable TransformerNetwork::position_table(nn::Graph& graph,
                                                     const std::optional<nn::Parameter>& learned,
                                                     std::uint32_t max_positions) const {
  if (learned) return {graph.value(*learned), graph.training() ? learned : std::nullopt};
  const std::uint32_t width = config_.d_model;
  return {graph.program().constant(width, sinusoids(max_positions, width)), std::nullopt};
}

nn::Tensor TransformerNetwork::encode(nn::Graph& graph, const nn::EmbeddingInputs& inputs,
                                      const nn::AttentionRanges& ranges) const {
  const auto positions = position_table(graph, source_positions_, inputs.ids.rows.capacity);
  nn::Tensor x = nn::embedding(graph, inputs, source_embedding_, positions, config_.dropout);
  for (const EncoderLayer& layer : encoder_) x = encoder_layer({graph, config_}, layer, x, ranges);
  return encoder_norm_ ? nn::layer_norm(graph, x, encoder_norm_->gain, encoder_norm_->bias) : x;
}

nn::Tensor TransformerNetwork::decode(
    nn::Graph& graph, const nn::EmbeddingInputs& inputs, std::uint32_t max_positions,
    const std::function<DecoderKeyValues(std::uint32_t layer)>& key_values) const {
  const auto positions = position_table(graph, target_positions_, max_positions);
  nn::Tensor x = nn::embedding(graph, inputs, target_embedding_, positions, config_.dropout);
  for (std::uint32_t i = 0; i < decoder_.size(); ++i)
    x = decoder_layer({graph, config_}, decoder_[i], x, key_values(i));
  return decoder_norm_ ? nn::layer_norm(graph, x, decoder_norm_->gain, decoder_norm_->bias) : x;
}

bool TransformerNetwork::is_table(const nn::Parameter& parameter) const {
  return parameter.index == source_embedding_.index || parameter.index == target_embedding_.index ||
         parameter.index == projection_.index;
}

}  // namespace awend::model
