#include "model/transformer/step_decoding.hpp"

#include <algorithm>
#include <bit>

#include "base/error.hpp"
#include "nn/graph.hpp"
#include "nn/recurrent/move_rows.hpp"
#include "nn/shader_types.hpp"

namespace awend::model {

KeyValueCache::KeyValueCache(nn::Engine& engine, const Config& config, std::uint32_t rows) {
  const auto& transformer = config.transformer;
  for (std::uint32_t layer = 0; layer < config.decoder_layers; ++layer) {
    keys_.emplace_back(engine, rows, transformer.heads * transformer.d_k);
    values_.emplace_back(engine, rows, transformer.heads * transformer.d_v);
  }
}

nn::Tensor KeyValueCache::keys(nn::Program& program, std::uint32_t layer) const {
  return keys_[layer].tensor(program);
}

nn::Tensor KeyValueCache::values(nn::Program& program, std::uint32_t layer) const {
  return values_[layer].tensor(program);
}

TransformerStepDecoding::TransformerStepDecoding(const TransformerNetwork& network,
                                                 nn::Engine& engine, const StepCapacity& capacity)
    : network_(network),
      capacity_(capacity),
      sources_(engine, network.decoder_config(), capacity.source_rows) {
  const Config& config = network.decoder_config();
  if (!has_ssru(config)) tokens_.emplace(engine, config, capacity.cache_rows);
  for (std::uint32_t i = 0; has_ssru(config) && i < config.decoder_layers; ++i)
    states_.emplace_back(engine, capacity.cache_rows, config.d_model);
}

void TransformerStepDecoding::append_encoder(nn::Graph& graph) {
  nn::Program& program = graph.program();
  const SideInputs source = declare_source(graph, network_.config(), capacity_.source_rows);
  encoder_.emplace(program, source, program.input(source.rows, 1));
  const nn::Tensor memory = network_.encode(graph, source.embedding, source.self);
  const auto& layers = network_.decoder_layers();
  for (std::uint32_t i = 0; i < layers.size(); ++i) {
    nn::store_rows(graph, project(graph, memory, layers[i].cross.key), sources_.keys(program, i),
                   encoder_->places);
    nn::store_rows(graph, project(graph, memory, layers[i].cross.value),
                   sources_.values(program, i), encoder_->places);
  }
}

std::variant<nn::Ancestors, TransformerStepDecoding::LastTokens>
TransformerStepDecoding::declare_past(nn::Program& program, const nn::Count& rows) const {
  if (tokens_) {
    return nn::Ancestors{.table = program.input(program.fixed(capacity_.cache_rows), 1),
                         .ranges = program.input(rows, 2)};
  }
  std::vector<float> ranges;
  for (std::uint32_t row = 0; row < rows.capacity; ++row) {
    ranges.push_back(std::bit_cast<float>(row));
    ranges.push_back(std::bit_cast<float>(row + 1));
  }
  return LastTokens{.ranges = program.constant(2, std::move(ranges)).reshaped(rows, 2),
                    .before = program.input(rows, 1)};
}

DecoderLayerInputs TransformerStepDecoding::layer_inputs(nn::Program& program,
                                                         std::uint32_t layer) const {
  DecoderLayerInputs inputs{.self = {},
                            .cross = SourceCache{.keys = sources_.keys(program, layer),
                                                 .values = sources_.values(program, layer),
                                                 .ranges = step_->source_ranges}};
  if (tokens_) {
    inputs.self = TokenCache{.keys = tokens_->keys(program, layer),
                             .values = tokens_->values(program, layer),
                             .places = step_->places,
                             .ancestors = std::get<nn::Ancestors>(step_->past)};
    return inputs;
  }
  const auto& last = std::get<LastTokens>(step_->past);
  const nn::Tensor states = states_[layer].tensor(program);
  const nn::Count& rows = last.before.rows;
  const nn::Tensor before = program.activation(rows, states.columns);
  nn::zero_rows(program, before, rows);
  nn::move_rows(program, {.x = states,
                          .y = before,
                          .rows = rows,
                          .table = last.before,
                          .by = nn::RowMove::By::kGather});
  inputs.self = SsruRows{
      .ranges = last.ranges,
      .cache = SsruRows::Cache{.before = before, .states = states, .places = step_->places}};
  return inputs;
}

nn::Tensor TransformerStepDecoding::append_step(nn::Graph& graph, const nn::Count& rows) {
  nn::Program& program = graph.program();
  step_.emplace(program,
                nn::EmbeddingInputs{.ids = program.input(rows, 1),
                                    .positions = program.input(rows, 1),
                                    .by_id = std::nullopt,
                                    .by_position = std::nullopt},
                declare_past(program, rows), program.input(rows, 1), program.input(rows, 2));
  return network_.decode(graph, step_->embedding, capacity_.max_tokens,
                         [&](std::uint32_t layer) { return layer_inputs(program, layer); });
}

void TransformerStepDecoding::write(std::span<const SourceSentence> sentences) {
  auto& [program, source, place_of] = *encoder_;
  const auto ids = program.host<std::uint32_t>(source.embedding.ids);
  const auto positions = program.host<std::uint32_t>(source.embedding.positions);
  const auto ranges = program.host<std::uint32_t>(source.self.keys_of_query);
  const auto places = program.host<std::uint32_t>(place_of);
  std::uint32_t row = 0;
  for (const SourceSentence& sentence : sentences) {
    const std::uint32_t begin = row;
    const auto end = begin + static_cast<std::uint32_t>(sentence.ids.size());
    base::check(end <= capacity_.source_rows, "sentences fit the source cache");
    for (; row < end; ++row) {
      ids[row] = sentence.ids[row - begin];
      positions[row] = row - begin;
      const batch::RowRange range = encoder_range(network_.config(), {begin, end}, row);
      ranges[2 * row] = range.begin;
      ranges[2 * row + 1] = range.end;
      places[row] = sentence.first_row + row - begin;
    }
  }
  program.set(source.rows, row);
}

void TransformerStepDecoding::write_past(const StepRows& step) {
  const nn::Program& program = step_->program;
  if (const auto* last = std::get_if<LastTokens>(&step_->past)) {
    const auto before = program.host<std::uint32_t>(last->before);
    for (std::size_t i = 0; i < step.rows.size(); ++i) {
      const batch::RowRange& past = step.rows[i].past;
      before[i] = past.end - past.begin == 1 ? NO_TOKEN : step.cache_rows[past.end - 2];
    }
    return;
  }
  const auto& ancestors = std::get<nn::Ancestors>(step_->past);
  const auto ranges = program.host<std::uint32_t>(ancestors.ranges);
  for (std::size_t i = 0; i < step.rows.size(); ++i) {
    const batch::RowRange& past = step.rows[i].past;
    const batch::RowRange attended = in_window(network_.config(), past, past.end - 1);
    ranges[2 * i] = attended.begin;
    ranges[2 * i + 1] = attended.end;
  }
  std::ranges::copy(step.cache_rows, program.host<std::uint32_t>(ancestors.table).begin());
}

void TransformerStepDecoding::write(const StepRows& step) {
  const nn::Program& program = step_->program;
  const auto ids = program.host<std::uint32_t>(step_->embedding.ids);
  const auto positions = program.host<std::uint32_t>(step_->embedding.positions);
  const auto places = program.host<std::uint32_t>(step_->places);
  const auto sources = program.host<std::uint32_t>(step_->source_ranges);
  for (std::size_t i = 0; i < step.rows.size(); ++i) {
    const auto& [last_id, source, past] = step.rows[i];
    base::check(past.end - past.begin <= capacity_.max_tokens, "each token has a position");
    ids[i] = decoder_input(network_.config(), last_id);
    positions[i] = past.end - past.begin - 1;
    places[i] = step.cache_rows[past.end - 1];
    const batch::RowRange attended = attended_source(network_.config(), source);
    sources[2 * i] = attended.begin;
    sources[2 * i + 1] = attended.end;
  }
  write_past(step);
}

}  // namespace awend::model
