#include "nn/recurrent/lookup.hpp"

#include <bit>

#include "base/numbers.hpp"
#include "nn/column_sum.hpp"
#include "nn/graph.hpp"
#include "nn/recurrent/move_rows.hpp"
#include "nn/table_rows.hpp"
#include "shaders/op_embedding.h"
#include "shaders/op_embedding_backward.h"

namespace awend::nn {

namespace {

/// Rows of a table, without a gradient.
Tensor rows_of(Graph& graph, const Tensor& ids, const Parameter& table) {
  Program& program = graph.program();
  const std::uint32_t columns = table.columns;
  const auto rows = table_rows(graph, table, ids);
  const Tensor y = program.activation(ids.rows, columns);
  const Tensor step = graph.step_scalars();
  program.launch(EmbeddingLaunch{
      .constants = {.columns = columns, .drops = 0},
      .operands = {.step = step,
                   .ids = rows.ids,
                   .places = program.constant(1, std::vector<float>(y.rows.capacity)),
                   .table = rows.table,
                   .positions = program.constant(columns, std::vector<float>(columns)),
                   .y = y},
      .push = {.rows_count = y.rows.word,
               .tokens_count = y.rows.word,
               .dropout_id = 0,
               .threshold = 0,
               .scale = 1.0f,
               .multiplier = 1.0f},
      .x = Axis::rows(y.rows, ROWS_PER_GROUP)});
  return y;
}

}  // namespace

Tensor lookup(Graph& graph, const LookupInputs& inputs, const Parameter& table) {
  Program& program = graph.program();
  const std::uint32_t columns = table.columns;
  const Tensor y = rows_of(graph, inputs.ids, table);
  const Tensor step = graph.step_scalars();
  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy || !graph.trains(table)) return;
    const std::uint32_t lanes = program.engine().limits().subgroup_size;
    program.launch(
        EmbeddingBackwardLaunch{.constants = {.columns = columns, .drops = 0},
                                .operands = {.step = step,
                                             .segment_ids = inputs.by_id->keys,
                                             .segment_begins = inputs.by_id->begins,
                                             .sorted_rows = inputs.by_id->rows,
                                             .dy = *dy,
                                             .gradient = graph.parameter_gradient(table)},
                                .push = {.segments_count = inputs.by_id->count.word,
                                         .tokens_count = y.rows.word,
                                         .dropout_id = 0,
                                         .threshold = 0,
                                         .scale = 1.0f,
                                         .multiplier = 1.0f},
                                .x = Axis::rows(inputs.by_id->count),
                                .y = Axis::of(base::divide_up(columns / 4, lanes))});
  });
  return y;
}

Tensor lookup_few(Graph& graph, const FewLookupInputs& inputs, const Parameter& table) {
  Program& program = graph.program();
  const Tensor y = rows_of(graph, inputs.ids, table);
  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy || !graph.trains(table)) return;
    const Tensor gradient = graph.parameter_gradient(table);
    const Count one = program.fixed(1);
    for (std::uint32_t id = 0; id < inputs.counts.size(); ++id) {
      const Count& rows = inputs.counts[id];
      const Tensor own = program.activation(rows, dy->columns);
      move_rows(
          program,
          {.x = *dy, .y = own, .rows = rows, .table = inputs.rows, .by = RowMove::By::kGather});
      const Tensor sum = program.activation(one, dy->columns);
      zero_rows(program, sum, one);
      add_column_sums(program, own, sum);
      move_rows(program, {.x = sum,
                          .y = gradient,
                          .rows = one,
                          .table = program.constant(1, {std::bit_cast<float>(id)}),
                          .by = RowMove::By::kScatter,
                          .adds = true});
    }
  });
  return y;
}

}  // namespace awend::nn
