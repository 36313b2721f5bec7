#include "model/rnn/rnn.hpp"

#include <algorithm>

#include "model/rnn/step_decoding.hpp"
#include "model/rnn/teacher_forcing.hpp"

namespace awend::model {
namespace {

// No kernel limits the steps of a search; this bounds the memory of its caches.
constexpr std::uint32_t kMaxTargetTokens = 1 << 14;

}  // namespace

std::unique_ptr<TeacherForcing> Rnn::declare_inputs(nn::Graph& graph,
                                                    const BatchSettings& settings) const {
  return std::make_unique<RnnTeacherForcing>(network_, graph, settings);
}

std::unique_ptr<StepDecoding> Rnn::make_cache(nn::Engine& engine,
                                              const StepCapacity& capacity) const {
  return std::make_unique<RnnStepDecoding>(network_, engine, capacity);
}

store::AttentionLayout Rnn::attention_layout() const {
  const std::uint32_t layers = network_.attends() ? 1 : 0;
  // Weights by their distance from a predicted center are not normalized (Luong et al. 2015, 3.2).
  const bool predicts = config().rnn.attention_span == AttentionSpan::kPredictive;
  return {.encoder_layers = 0,
          .decoder_layers = layers,
          .heads = 1,
          .cross_sum = predicts ? store::CrossSum::kAtMostOne : store::CrossSum::kOne};
}

std::uint32_t Rnn::max_tokens(const nn::Engine& engine) const {
  if (!network_.attends()) return config().max_positions;
  return std::min(config().max_positions,
                  nn::max_step_keys(engine, network_.key_columns(), network_.memory_columns()));
}

DecodingFootprint Rnn::footprint(const nn::Engine& engine) const {
  const Config& it = config();
  const std::uint32_t cells = it.rnn.cell == nn::Cell::kLstm ? 2 : 1;
  const std::uint64_t states = std::uint64_t{it.decoder_layers} * cells * it.d_model;
  const std::uint64_t feed = it.rnn.input_feeding == Switch::kOn ? it.d_model : 0;
  const std::uint64_t memory =
      network_.attends() ? network_.memory_columns() + network_.key_columns() : 0;
  // The encoder's activations are about those of two directions of a layer.
  const std::uint64_t activations =
      std::uint64_t{2} * (nn::gates_of(it.rnn.cell) + 2) * it.d_model + it.rnn.d_embedding;
  const std::uint32_t widest =
      std::max({it.d_model, network_.memory_columns(), network_.key_columns()});
  const std::uint32_t widest_activation =
      std::max(nn::gates_of(it.rnn.cell) * it.d_model, it.rnn.d_embedding);
  const std::uint64_t summary = network_.feeds_context() ? it.d_model : 0;
  return {.vocabulary = it.vocabulary,
          .source_token_bytes = (memory + states + summary + activations) * sizeof(float),
          .target_token_bytes = (states + feed) * sizeof(float),
          .widest_row_bytes = widest * sizeof(float),
          .widest_activation_bytes = widest_activation * sizeof(float),
          .max_source_tokens = max_tokens(engine),
          .max_target_tokens = kMaxTargetTokens};
}

}  // namespace awend::model
