// Embedding and positions, sections 3.4 and 3.5.
#include <cmath>

#include "base/numbers.hpp"
#include "nn/dropout.hpp"
#include "nn/graph.hpp"
#include "nn/operations.hpp"
#include "nn/table_rows.hpp"
#include "shaders/op_embedding.h"
#include "shaders/op_embedding_backward.h"

namespace awend::nn {
namespace {

struct TableGradient {
  Segments segments;
  Tensor step, dy, gradient;
  EmbeddingPush forward;
  float multiplier;
  std::uint32_t drops;
};

void add_table_gradient(Program& program, const TableGradient& t) {
  const std::uint32_t lanes = program.engine().limits().subgroup_size;
  program.launch(EmbeddingBackwardLaunch{.constants = {.columns = t.dy.columns, .drops = t.drops},
                                         .operands = {.step = t.step,
                                                      .segment_ids = t.segments.keys,
                                                      .segment_begins = t.segments.begins,
                                                      .sorted_rows = t.segments.rows,
                                                      .dy = t.dy,
                                                      .gradient = t.gradient},
                                         .push = {.segments_count = t.segments.count.word,
                                                  .tokens_count = t.forward.tokens_count,
                                                  .dropout_id = t.forward.dropout_id,
                                                  .threshold = t.forward.threshold,
                                                  .scale = t.forward.scale,
                                                  .multiplier = t.multiplier},
                                         .x = Axis::rows(t.segments.count),
                                         .y = Axis::of(base::divide_up(t.dy.columns / 4, lanes))});
}

}  // namespace

Tensor embedding(Graph& graph, const EmbeddingInputs& inputs, const Parameter& table,
                 const PositionTable& positions, const EmbeddingSettings& settings) {
  Program& program = graph.program();
  const DropoutNumbers numbers = dropout_numbers(graph.training() ? settings.dropout : 0.0);
  const std::uint32_t columns = table.columns;
  const Tensor step = graph.step_scalars();
  const auto tokens = table_rows(graph, table, inputs.ids);
  const Tensor y = program.activation(inputs.ids.rows, columns);
  const EmbeddingPush push{.rows_count = y.rows.word,
                           .tokens_count = y.rows.word,
                           .dropout_id = graph.next_dropout_id(),
                           .threshold = numbers.threshold,
                           .scale = numbers.scale,
                           .multiplier = settings.scale == EmbeddingScale::kOne
                                             ? 1.0f
                                             : std::sqrt(static_cast<float>(columns))};
  program.launch(EmbeddingLaunch{.constants = {.columns = columns, .drops = numbers.drops},
                                 .operands = {.step = step,
                                              .ids = tokens.ids,
                                              .places = inputs.positions,
                                              .table = tokens.table,
                                              .positions = positions.values,
                                              .y = y},
                                 .push = push,
                                 .x = Axis::rows(y.rows, ROWS_PER_GROUP)});
  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy) return;
    const auto add_gradient = [&](const Segments& segments, const Parameter& parameter,
                                  float multiplier) {
      add_table_gradient(program, {.segments = segments,
                                   .step = step,
                                   .dy = *dy,
                                   .gradient = graph.parameter_gradient(parameter),
                                   .forward = push,
                                   .multiplier = multiplier,
                                   .drops = numbers.drops});
    };
    if (graph.trains(table)) add_gradient(*inputs.by_id, table, push.multiplier);
    if (positions.learned && graph.trains(*positions.learned))
      add_gradient(*inputs.by_position, *positions.learned, 1);
  });
  return y;
}

}  // namespace awend::nn
