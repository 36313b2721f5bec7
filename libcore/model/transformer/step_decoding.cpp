#include "model/transformer/step_decoding.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace awend::model {

KeyValueCache::KeyValueCache(nn::Engine& engine, const Config& config, std::uint32_t rows) {
  for (std::uint32_t layer = 0; layer < config.decoder_layers; ++layer) {
    keys_.emplace_back(engine, rows, config.heads * config.d_k);
    values_.emplace_back(engine, rows, config.heads * config.d_v);
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
      sources_(engine, network.decoder_config(), capacity.source_rows),
      tokens_(engine, network.decoder_config(), capacity.cache_rows) {}

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

nn::Tensor TransformerStepDecoding::append_step(nn::Graph& graph, const nn::Count& rows) {
  nn::Program& program = graph.program();
  step_.emplace(program,
                nn::EmbeddingInputs{.ids = program.input(rows, 1),
                                    .positions = program.input(rows, 1),
                                    .by_id = std::nullopt,
                                    .by_position = std::nullopt},
                nn::Ancestors{.table = program.input(program.fixed(capacity_.cache_rows), 1),
                              .ranges = program.input(rows, 2)},
                program.input(rows, 1), program.input(rows, 2));
  const auto key_values = [&](std::uint32_t layer) {
    const TokenCache tokens{.keys = tokens_.keys(program, layer),
                            .values = tokens_.values(program, layer),
                            .places = step_->places,
                            .ancestors = step_->ancestors};
    return DecoderKeyValues{.self = [tokens](const nn::Tensor&) { return tokens; },
                            .cross = SourceCache{.keys = sources_.keys(program, layer),
                                                 .values = sources_.values(program, layer),
                                                 .ranges = step_->source_ranges}};
  };
  return network_.decode(graph, step_->embedding, capacity_.max_tokens, key_values);
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
      const RowRange range = encoder_range(network_.config(), {begin, end}, row);
      ranges[2 * row] = range.begin;
      ranges[2 * row + 1] = range.end;
      places[row] = sentence.first_row + row - begin;
    }
  }
  program.set(source.rows, row);
}

void TransformerStepDecoding::write(const StepRows& step) {
  const auto& [program, embedding, ancestors, place_of, range_of] = *step_;
  const auto ids = program.host<std::uint32_t>(embedding.ids);
  const auto positions = program.host<std::uint32_t>(embedding.positions);
  const auto pasts = program.host<std::uint32_t>(ancestors.ranges);
  const auto places = program.host<std::uint32_t>(place_of);
  const auto sources = program.host<std::uint32_t>(range_of);
  for (std::size_t i = 0; i < step.rows.size(); ++i) {
    const auto& [last_id, source, past] = step.rows[i];
    base::check(past.end - past.begin <= capacity_.max_tokens, "each token has a position");
    ids[i] = decoder_input(network_.config(), last_id);
    positions[i] = past.end - past.begin - 1;
    pasts[2 * i] = past.begin;
    pasts[2 * i + 1] = past.end;
    places[i] = step.cache_rows[past.end - 1];
    const RowRange attended = attended_source(network_.config(), source);
    sources[2 * i] = attended.begin;
    sources[2 * i + 1] = attended.end;
  }
  std::ranges::copy(step.cache_rows, program.host<std::uint32_t>(ancestors.table).begin());
}

}  // namespace awend::model
