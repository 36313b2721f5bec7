#include "model/transformer/transformer.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "model/sinusoids.hpp"
#include "model/transformer/step_decoding.hpp"
#include "model/transformer/teacher_forcing.hpp"

namespace awend::model {
namespace {

/// The most tokens that have a position.
std::uint32_t max_positions_of(const Config& config) {
  return config.positions == Positions::kLearned ? config.longest
                                                 : std::numeric_limits<std::uint32_t>::max();
}

nn::AttentionShape shape_of(const Config& config) {
  return {config.heads, config.d_k, config.d_v};
}

}  // namespace

Transformer::Transformer(const Config& config, nn::Parameters& parameters) : Seq2Seq(config) {
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

nn::PositionTable Transformer::position_table(nn::Graph& graph,
                                              const std::optional<nn::Parameter>& learned,
                                              std::uint32_t max_positions) const {
  if (learned) return {graph.value(*learned), graph.training() ? learned : std::nullopt};
  const std::uint32_t width = config().d_model;
  return {graph.program().constant(width, sinusoids(max_positions, width)), std::nullopt};
}

nn::Tensor Transformer::encode(nn::Graph& graph, const nn::EmbeddingInputs& inputs,
                               const nn::AttentionRanges& ranges) const {
  const auto positions = position_table(graph, source_positions_, inputs.ids.rows.capacity);
  nn::Tensor x = nn::embedding(graph, inputs, source_embedding_, positions, config().dropout);
  for (const EncoderLayer& layer : encoder_) x = encoder_layer({graph, config()}, layer, x, ranges);
  return encoder_norm_ ? nn::layer_norm(graph, x, encoder_norm_->gain, encoder_norm_->bias) : x;
}

nn::Tensor Transformer::decode(
    nn::Graph& graph, const nn::EmbeddingInputs& inputs, std::uint32_t max_positions,
    const std::function<DecoderKeyValues(std::uint32_t layer)>& key_values) const {
  const auto positions = position_table(graph, target_positions_, max_positions);
  nn::Tensor x = nn::embedding(graph, inputs, target_embedding_, positions, config().dropout);
  for (std::uint32_t i = 0; i < decoder_.size(); ++i)
    x = decoder_layer({graph, config()}, decoder_[i], x, key_values(i));
  return decoder_norm_ ? nn::layer_norm(graph, x, decoder_norm_->gain, decoder_norm_->bias) : x;
}

std::unique_ptr<TeacherForcing> Transformer::declare_inputs(nn::Graph& graph,
                                                            const BatchSettings& settings) const {
  return std::make_unique<TransformerTeacherForcing>(*this, graph, settings);
}

std::unique_ptr<StepDecoding> Transformer::make_cache(nn::Engine& engine,
                                                      const StepCapacity& capacity) const {
  return std::make_unique<TransformerStepDecoding>(*this, engine, capacity);
}

bool Transformer::is_table(const nn::Parameter& parameter) const {
  return parameter.index == source_embedding_.index || parameter.index == target_embedding_.index ||
         parameter.index == projection_.index;
}

store::AttentionLayout Transformer::attention_layout() const {
  return {.encoder_layers = config().encoder_layers,
          .decoder_layers = config().decoder_layers,
          .heads = config().heads};
}

std::uint32_t Transformer::max_tokens(const nn::Engine& engine) const {
  return std::min(nn::max_attended_keys(engine, shape_of(config())), max_positions_of(config()));
}

DecodingFootprint Transformer::footprint(const nn::Engine& engine) const {
  const Config& it = config();
  const std::uint64_t layer_bytes = std::uint64_t{it.heads} * (it.d_k + it.d_v) * sizeof(float);
  // The encoder's activations are about those of one layer.
  const std::uint64_t activation_bytes = std::uint64_t{8 * it.d_model + it.d_ff} * sizeof(float);
  return {.vocabulary = it.vocabulary,
          .source_token_bytes = it.decoder_layers * layer_bytes + activation_bytes,
          .target_token_bytes = it.decoder_layers * layer_bytes,
          .widest_row_bytes = std::uint64_t{it.heads} * std::max(it.d_k, it.d_v) * sizeof(float),
          .max_source_tokens = max_positions_of(it),
          .max_target_tokens = std::min(nn::most_keys(engine, shape_of(it)), max_positions_of(it))};
}

}  // namespace awend::model
