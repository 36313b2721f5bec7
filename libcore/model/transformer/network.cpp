#include "model/transformer/network.hpp"

#include <bit>
#include <cmath>

#include "base/error.hpp"
#include "model/relative_positions.hpp"
#include "model/sinusoids.hpp"
#include "model/weight_layout.hpp"
#include "nn/graph.hpp"

namespace awend::model {

TransformerNetwork::TransformerNetwork(const Config& config, nn::Parameters& parameters)
    : config_(config) {
  validate(config);
  decoder_config_ = decoder_side(config);
  declare_embeddings(parameters);
  declare_relative_positions(parameters);
  declare_positions(parameters);
  for (std::uint32_t i = 0; i < config.encoder_layers; ++i) {
    encoder_.push_back(declare_encoder_layer(parameters, config, base::concat("encoder.", i)));
  }
  for (std::uint32_t i = 0; i < config.decoder_layers; ++i) {
    decoder_.push_back(
        declare_decoder_layer(parameters, decoder_config_, base::concat("decoder.", i)));
  }
  declare_norms(parameters);
  if (config.transformer.output_bias == Switch::kOn) {
    output_bias_ = parameters.add("output_bias", config.vocabulary, 1, nn::Initializer::kZero);
  }
}

/// Section 3.4: one matrix for both embeddings and the projection, unless configured otherwise.
void TransformerNetwork::declare_embeddings(nn::Parameters& parameters) {
  const auto table = [&](const char* name, std::uint32_t vocabulary) {
    return parameters.add(name, vocabulary, config_.d_model, nn::Initializer::kEmbedding);
  };
  if (ties_embeddings(config_.transformer.tie)) {
    source_.embedding = target_.embedding = table("embedding", config_.vocabulary);
  } else {
    source_.embedding = table("source_embedding", source_vocabulary_of(config_));
    target_.embedding = table("target_embedding", config_.vocabulary);
  }
  projection_ = ties_projection(config_.transformer.tie) ? target_.embedding
                                                         : table("projection", config_.vocabulary);
}

void TransformerNetwork::declare_relative_positions(nn::Parameters& parameters) {
  if (!has_relative_positions(config_)) return;
  const auto table = [&](const char* name, const Config& side) {
    return parameters.add(name, side.transformer.relative_buckets * side.transformer.heads, 1,
                          nn::Initializer::kZero);
  };
  source_.relative = table("source_relative_positions", config_);
  target_.relative = table("target_relative_positions", decoder_config_);
}

void TransformerNetwork::declare_positions(nn::Parameters& parameters) {
  if (!has_position_table(config_)) return;
  const auto positions = [&](const char* name) {
    if (config_.transformer.positions == Positions::kLearned)
      return parameters.add(name, config_.max_positions, config_.d_model,
                            nn::Initializer::kEmbedding);
    const SinusoidTable table{.rows = config_.max_positions,
                              .columns = config_.d_model,
                              .layout = config_.transformer.sinusoid_layout,
                              .first = config_.transformer.first_position};
    return parameters.add_constant(name, table.rows, table.columns,
                                   [table] { return sinusoids(table); });
  };
  source_.positions = positions("source_positions");
  target_.positions = positions("target_positions");
}

void TransformerNetwork::declare_norms(nn::Parameters& parameters) {
  if (config_.transformer.embedding_norm == Switch::kOn) {
    source_.norm = declare_norm(parameters, config_, "encoder.embedding_norm");
    target_.norm = declare_norm(parameters, config_, "decoder.embedding_norm");
  }
  if (has_final_norm(config_, FinalNorm::kEncoder))
    source_.final_norm = declare_norm(parameters, config_, "encoder.norm");
  if (has_final_norm(config_, FinalNorm::kDecoder))
    target_.final_norm = declare_norm(parameters, config_, "decoder.norm");
}

nn::PositionTable TransformerNetwork::position_table(nn::Graph& graph, const Side& side,
                                                     std::uint32_t max_positions) const {
  if (side.positions) {
    const bool is_trained =
        graph.training() && config_.transformer.positions == Positions::kLearned;
    return {graph.value(*side.positions), is_trained ? side.positions : std::nullopt};
  }
  if (side.relative) {
    return {graph.program().constant(
                config_.d_model, std::vector<float>(std::size_t{max_positions} * config_.d_model)),
            std::nullopt};
  }
  const SinusoidTable table{.rows = max_positions,
                            .columns = config_.d_model,
                            .layout = config_.transformer.sinusoid_layout,
                            .first = config_.transformer.first_position};
  return {graph.program().constant(table.columns, sinusoids(table)), std::nullopt};
}

std::optional<nn::RelativeBias> TransformerNetwork::relative_bias(nn::Graph& graph,
                                                                  const Side& side) const {
  if (!side.relative) return std::nullopt;
  using Directions = RelativePositions::Directions;
  const bool is_source = side.relative->index == source_.relative->index;
  std::vector<float> buckets;
  for (const std::uint32_t bucket :
       relative_buckets({.buckets = config_.transformer.relative_buckets,
       .max_distance = config_.transformer.relative_max_distance,
       .directions = is_source ? Directions::kBoth : Directions::kBackward}))
    buckets.push_back(std::bit_cast<float>(bucket));  // constants are floats; only the bits count
  return nn::RelativeBias{*side.relative, graph.program().constant(1, std::move(buckets))};
}

nn::Tensor TransformerNetwork::embed(nn::Graph& graph, const nn::EmbeddingInputs& all,
                                     const Side& side, std::uint32_t max_positions) const {
  nn::EmbeddingInputs inputs = all;
  if (side.relative) {
    // One position, whose row is zero.
    max_positions = 1;
    inputs.positions = graph.program()
                           .constant(1, std::vector<float>(all.ids.rows.capacity))
                           .reshaped(all.ids.rows, 1);
  }
  const auto positions = position_table(graph, side, max_positions);
  // With a normalization, dropout comes after it.
  const nn::EmbeddingSettings settings(side.norm ? 0 : config_.dropout,
                                       config_.transformer.embedding_scale);
  const nn::Tensor x = nn::embedding(graph, inputs, side.embedding, positions, settings);
  if (!side.norm) return x;
  return nn::dropout(graph, layer_norm({graph, config_}, x, *side.norm), config_.dropout);
}

nn::Tensor TransformerNetwork::encode(nn::Graph& graph, const nn::EmbeddingInputs& inputs,
                                      const nn::AttentionRanges& ranges) const {
  const LayerContext context{graph, config_, relative_bias(graph, source_)};
  nn::Tensor x = embed(graph, inputs, source_, inputs.ids.rows.capacity);
  for (const EncoderLayer& layer : encoder_) x = encoder_layer(context, layer, x, ranges);
  return source_.final_norm ? layer_norm(context, x, *source_.final_norm) : x;
}

nn::Tensor TransformerNetwork::decode(
    nn::Graph& graph, const nn::EmbeddingInputs& inputs, std::uint32_t max_positions,
    const std::function<DecoderLayerInputs(std::uint32_t layer)>& inputs_of) const {
  const LayerContext context{graph, decoder_config_, relative_bias(graph, target_)};
  nn::Tensor x = embed(graph, inputs, target_, max_positions);
  for (std::uint32_t i = 0; i < decoder_.size(); ++i)
    x = decoder_layer(context, decoder_[i], x, inputs_of(i));
  if (target_.final_norm) x = layer_norm(context, x, *target_.final_norm);
  if (config_.transformer.output_scale == OutputScale::kOne) return x;
  return nn::scaled(graph, x, 1 / std::sqrt(static_cast<double>(config_.d_model)));
}

bool TransformerNetwork::is_table(const nn::Parameter& parameter) const {
  return parameter.index == source_.embedding.index || parameter.index == target_.embedding.index ||
         parameter.index == projection_.index ||
         (output_bias_ && parameter.index == output_bias_->index);
}

}  // namespace awend::model
