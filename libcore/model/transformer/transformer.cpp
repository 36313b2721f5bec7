#include "model/transformer/transformer.hpp"

#include <algorithm>
#include <limits>

#include "model/attention_ranges.hpp"
#include "model/transformer/step_decoding.hpp"
#include "model/transformer/teacher_forcing.hpp"
#include "nn/recurrent/ssru.hpp"

namespace awend::model {
namespace {

/// The most tokens that have a position.
std::uint32_t max_positions_of(const Config& config) {
  return has_position_table(config) ? config.max_positions
                                    : std::numeric_limits<std::uint32_t>::max();
}

nn::AttentionShape shape_of(const Config& config) {
  const auto& transformer = config.transformer;
  return {transformer.heads, transformer.d_k, transformer.d_v};
}

/// The most tokens whose self-attention stays below the limits of kernels, which may process the
/// windows of kTileRows rows one after the other.
std::uint32_t max_keys_of(const nn::Engine& engine, const Config& config) {
  constexpr std::uint32_t kTileRows = 8;
  std::uint32_t keys = nn::max_attended_keys(engine, shape_of(config));
  if (has_relative_positions(config))
    keys = std::min(keys, nn::max_biased_keys(engine, shape_of(config)));
  const bool fits = longest_range(config, 0) <= keys / kTileRows;
  return fits ? keys : keys / kTileRows;
}

}  // namespace

std::unique_ptr<TeacherForcing> Transformer::declare_inputs(nn::Graph& graph,
                                                            const BatchSettings& settings) const {
  return std::make_unique<TransformerTeacherForcing>(network_, graph, settings);
}

std::unique_ptr<StepDecoding> Transformer::make_cache(nn::Engine& engine,
                                                      const StepCapacity& capacity) const {
  return std::make_unique<TransformerStepDecoding>(network_, engine, capacity);
}

store::AttentionLayout Transformer::attention_layout() const {
  return {.encoder_layers = config().encoder_layers,
          .decoder_layers = config().decoder_layers,
          .heads = config().transformer.heads,
          .decoder_heads = config().transformer.decoder_heads};
}

std::uint32_t Transformer::max_tokens(const nn::Engine& engine) const {
  const std::uint32_t keys =
      std::min(max_keys_of(engine, config()), max_keys_of(engine, network_.decoder_config()));
  const std::uint32_t tokens = std::min(keys, max_positions_of(config()));
  return has_ssru(config()) ? std::min(tokens, nn::kMaxSsruRows) : tokens;
}

DecodingFootprint Transformer::footprint(const nn::Engine& engine) const {
  const Config& it = network_.decoder_config();
  const TransformerConfig& own = it.transformer;
  const std::uint64_t layer_bytes = std::uint64_t{own.heads} * (own.d_k + own.d_v) * sizeof(float);
  const std::uint64_t state_bytes = std::uint64_t{it.d_model} * sizeof(float);
  // The encoder's activations are about those of one layer.
  const bool is_gated = own.feed_forward == FeedForwardKind::kGated;
  const std::uint64_t inner = std::uint64_t{is_gated ? 3u : 1u} * config().transformer.d_ff;
  const std::uint64_t activation_bytes = (8 * it.d_model + inner) * sizeof(float);
  const TransformerConfig& encoder = config().transformer;
  const std::uint32_t widest =
      std::max({it.d_model, encoder.d_ff, encoder.heads * std::max(encoder.d_k, encoder.d_v)});
  return {.vocabulary = it.vocabulary,
          .source_token_bytes = it.decoder_layers * layer_bytes + activation_bytes,
          .target_token_bytes = it.decoder_layers * (has_ssru(it) ? state_bytes : layer_bytes),
          .widest_row_bytes =
              std::max(std::uint64_t{own.heads} * std::max(own.d_k, own.d_v) * sizeof(float),
                       has_ssru(it) ? state_bytes : 0),
          .widest_activation_bytes = widest * sizeof(float),
          .max_source_tokens = max_positions_of(it),
          .max_target_tokens = std::min(nn::max_keys(engine, shape_of(it)), max_positions_of(it))};
}

}  // namespace awend::model
