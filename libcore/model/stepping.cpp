#include "model/stepping.hpp"

#include "base/error.hpp"

namespace awend::model {
namespace {

nn::AttentionShape shape_of(const Config& config) {
  return {config.heads, config.d_k, config.d_v, 0};
}

}  // namespace

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

StepInputs declare_step_inputs(nn::Program& program, std::uint32_t rows,
                               std::uint32_t table_entries) {
  const nn::Count count = program.count(rows);
  return {.rows = count,
          .embedding = {.ids = program.input(count, 1),
                        .positions = program.input(count, 1),
                        .by_id = std::nullopt,
                        .by_position = std::nullopt},
          .ancestors = {.table = program.input(program.fixed(table_entries), 1),
                        .ranges = program.input(count, 2)},
          .places = program.input(count, 1),
          .source_ranges = program.input(count, 2)};
}

void fill_cross_cache(nn::Graph& graph, const Transformer& transformer, const SourceInputs& inputs,
                      const nn::Tensor& places, const KeyValueCache& cross) {
  const nn::Tensor memory = transformer.encode(graph, inputs);
  for (std::uint32_t i = 0; i < transformer.decoder_layers().size(); ++i) {
    const AttentionWeights& weights = transformer.decoder_layers()[i].cross;
    nn::store_rows(graph, nn::linear(graph, memory, weights.key), cross.keys(graph.program(), i),
                   places);
    nn::store_rows(graph, nn::linear(graph, memory, weights.value),
                   cross.values(graph.program(), i), places);
  }
}

nn::Tensor decode_step(nn::Graph& graph, const Transformer& transformer, const StepInputs& inputs,
                       const KeyValueCache& self, const KeyValueCache& cross,
                       std::uint32_t longest) {
  nn::Program& program = graph.program();
  const Config& config = transformer.config();
  nn::Tensor x = transformer.embed_target(graph, inputs.embedding, longest);
  const nn::AttentionRanges source{inputs.source_ranges, inputs.source_ranges};
  for (std::uint32_t i = 0; i < transformer.decoder_layers().size(); ++i) {
    const DecoderLayer& layer = transformer.decoder_layers()[i];
    x = sublayer(graph, config, layer.self_norm, x, [&](const nn::Tensor& y) {
      const nn::Tensor keys = self.keys(program, i);
      const nn::Tensor values = self.values(program, i);
      nn::store_rows(graph, nn::linear(graph, y, layer.self.key), keys, inputs.places);
      nn::store_rows(graph, nn::linear(graph, y, layer.self.value), values, inputs.places);
      const nn::Tensor q = nn::linear(graph, y, layer.self.query);
      const nn::Tensor attended =
          nn::cached_attention(graph, {q, keys, values}, inputs.ancestors, shape_of(config));
      return nn::linear(graph, attended, layer.self.output);
    });
    x = sublayer(graph, config, layer.cross_norm, x, [&](const nn::Tensor& y) {
      const nn::Projections projections{nn::linear(graph, y, layer.cross.query),
                                        cross.keys(program, i), cross.values(program, i)};
      return nn::linear(graph, nn::portable_attention(graph, projections, source, shape_of(config)),
                        layer.cross.output);
    });
    x = sublayer(graph, config, layer.feed_forward_norm, x, [&](const nn::Tensor& y) {
      return feed_forward(graph, config, layer.feed_forward, y);
    });
  }
  const auto& norm = transformer.decoder_norm();
  return norm ? nn::layer_norm(graph, x, norm->gain, norm->bias) : x;
}

}  // namespace awend::model
