#include "model/inputs.hpp"

#include <algorithm>

namespace awend::model {
namespace {

nn::Segments declare_segments(nn::Program& program, const nn::Count& rows, std::uint32_t keys) {
  const std::uint32_t most = std::min(keys, rows.capacity);
  const nn::Count count = program.count(most);
  return {.count = count,
          .keys = program.input(count, 1),
          .begins = program.input(program.fixed(most + 1), 1),
          .rows = program.input(rows, 1)};
}

nn::EmbeddingInputs declare_embedding(nn::Graph& graph, const Config& config,
                                      const nn::Count& rows) {
  nn::Program& program = graph.program();
  nn::EmbeddingInputs inputs{.ids = program.input(rows, 1),
                             .positions = program.input(rows, 1),
                             .by_id = std::nullopt,
                             .by_position = std::nullopt};
  if (!graph.training()) return inputs;
  inputs.by_id = declare_segments(program, rows, config.vocabulary);
  if (config.positions == Positions::kLearned)
    inputs.by_position = declare_segments(program, rows, config.longest);
  return inputs;
}

}  // namespace

SourceInputs declare_source_inputs(nn::Graph& graph, const Config& config, std::uint32_t rows) {
  nn::Program& program = graph.program();
  const nn::Count count = program.count(rows);
  // Every token of a source sentence sees every other, so both directions are one range.
  const nn::Tensor ranges = program.input(count, 2);
  return {.rows = count,
          .embedding = declare_embedding(graph, config, count),
          .self = {ranges, ranges}};
}

BatchInputs declare_inputs(nn::Graph& graph, const Config& config, const Capacity& capacity) {
  nn::Program& program = graph.program();
  const nn::Count target_rows = program.count(capacity.target_rows);
  BatchInputs inputs;
  inputs.source = declare_source_inputs(graph, config, capacity.source_rows);
  inputs.target.rows = target_rows;
  inputs.target.embedding = declare_embedding(graph, config, target_rows);
  inputs.target.self.keys_of_query = program.input(target_rows, 2);
  inputs.target.cross.keys_of_query = program.input(target_rows, 2);
  inputs.target.self.queries_of_key =
      graph.training() ? program.input(target_rows, 2) : inputs.target.self.keys_of_query;
  inputs.target.cross.queries_of_key =
      graph.training() ? program.input(inputs.source.rows, 2) : inputs.target.cross.keys_of_query;
  inputs.target.targets = program.input(target_rows, 1);
  return inputs;
}

}  // namespace awend::model
