// Embedding and positions, sections 3.4 and 3.5.
#include <cmath>

#include "nn/dropout.hpp"
#include "nn/operations.hpp"
#include "nn/shader_types.hpp"

namespace awend::nn {
namespace {

struct TableGradient {
  Segments segments;
  Tensor step, dy, gradient;
  EmbeddingPush push;
  std::uint32_t drops;
};

void add_table_gradient(Program& program, const TableGradient& t) {
  EmbeddingPush push = t.push;
  push.rows_count = t.segments.count.word;
  const std::uint32_t lanes = program.engine().device.limits().subgroup_size;
  program.launch(
      {.kernel = "embedding_backward",
       .constants = {t.dy.columns, t.drops},
       .operands = {t.step, t.segments.keys, t.segments.begins, t.segments.rows, t.dy, t.gradient},
       .push_constants = bytes_of(push),
       .x = Axis::rows(t.segments.count),
       .y = Axis::of((t.dy.columns / 4 + lanes - 1) / lanes)});
}

}  // namespace

Tensor embedding(Graph& graph, const EmbeddingInputs& inputs, const Parameter& table,
                 const PositionTable& positions, double probability) {
  Program& program = graph.program();
  const DropoutNumbers numbers = dropout_numbers(graph.training() ? probability : 0.0);
  const std::uint32_t columns = table.columns;
  const Tensor step = graph.step_scalars();
  const Tensor y = program.activation(inputs.ids.rows, columns);
  const EmbeddingPush push{y.rows.word,       y.rows.word,
                           graph.next_site(), numbers.threshold,
                           numbers.scale,     std::sqrt(static_cast<float>(columns))};
  program.launch(
      {.kernel = "embedding",
       .constants = {columns, numbers.drops},
       .operands = {step, inputs.ids, inputs.positions, graph.value(table), positions.values, y},
       .push_constants = bytes_of(push),
       .x = Axis::rows(y.rows, ROWS_PER_GROUP)});
  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy) return;
    if (graph.trains(table)) {
      add_table_gradient(program, {*inputs.by_id, step, *dy, graph.parameter_gradient(table), push,
                                   numbers.drops});
    }
    if (!positions.learned || !graph.trains(*positions.learned)) return;
    EmbeddingPush unscaled = push;
    unscaled.multiplier = 1;
    add_table_gradient(
        program, {*inputs.by_position, step, *dy, graph.parameter_gradient(*positions.learned),
                  unscaled, numbers.drops});
  });
  return y;
}

}  // namespace awend::nn
