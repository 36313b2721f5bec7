// Small models with the settings in which toolkits differ.
#pragma once

#include "tests/properties/stage.hpp"

namespace awend::tests {

/// Models with as many of the settings as they can have at once.
enum class ToolkitModel { kSelfAttention, kSsru, kT5 };

/// The settings of T5 v1.1, with more biases.
inline void set_t5(model::Config& config) {
  auto& transformer = config.transformer;
  transformer.norm = model::Norm::kPre;
  transformer.norm_kind = model::NormKind::kRms;
  transformer.feed_forward = model::FeedForwardKind::kGated;
  transformer.activation = nn::Activation::kGeluTanh;
  transformer.attention_scale = model::AttentionScale::kOne;
  transformer.output_scale = model::OutputScale::kInverseRootOfColumns;
  transformer.positions = model::Positions::kRelative;
  transformer.relative_buckets = 8;
  transformer.relative_max_distance = 7;
  transformer.sinusoid_layout = model::SinusoidLayout::kInterleaved;
  transformer.first_position = 0;
}

/// A checkpoint of random weights, biases and gains included, of a model with such settings and the
/// given masked ids, which are ascending.
inline std::string toolkit_checkpoint(const std::string& path,
                                      std::vector<std::uint32_t> masked_ids,
                                      ToolkitModel kind = ToolkitModel::kSelfAttention) {
  auto config = small_config();
  config.transformer.attention_bias = config.transformer.output_bias =
      config.transformer.embedding_norm = model::Switch::kOn;
  config.transformer.source_end = model::Switch::kOff;
  config.transformer.embedding_scale = nn::EmbeddingScale::kOne;
  config.transformer.final_norm = model::FinalNorm::kDecoder;
  config.transformer.norm_epsilon = 1e-3;
  config.transformer.positions = model::Positions::kStored;
  config.max_positions = 40;
  config.transformer.sinusoid_layout = model::SinusoidLayout::kHalves;
  config.transformer.first_position = 2;
  config.transformer.tie = model::Tie::kEmbeddings;
  config.decoder_start = model::DecoderStart::kToken;
  config.start_id = 3;
  config.transformer.masked_ids = std::move(masked_ids);
  config.transformer.decoder_heads = 4;
  config.transformer.decoder_d_ff = 48;
  if (kind == ToolkitModel::kSsru) {
    config.transformer.autoregressive_layer = model::AutoregressiveLayer::kSsru;
    config.transformer.ssru_projection = model::Switch::kOn;
  }
  if (kind == ToolkitModel::kT5) set_t5(config);
  nn::Parameters parameters;
  const auto seq2seq = model::make_seq2seq(config, parameters);
  parameters.allocate(engine(), nn::Use::kInference);
  parameters.initialize(5);
  base::Random random(17);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& parameter = parameters.parameter(i);
    if (parameter.rows > 1 && parameter.columns > 1) continue;
    auto values = parameters.read(parameter);
    for (float& value : values) value += random.below(1000) / 1000.0f - 0.5f;
    parameters.write(parameter, values);
  }
  model::save(path, {parameters}, config, {});
  return path;
}

}  // namespace awend::tests
