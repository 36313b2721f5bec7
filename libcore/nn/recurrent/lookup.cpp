#include "nn/recurrent/lookup.hpp"

#include "base/numbers.hpp"
#include "nn/host_forms.hpp"
#include "shaders/op_embedding.h"
#include "shaders/op_embedding_backward.h"

namespace awend::nn {

Tensor lookup(Graph& graph, const LookupInputs& inputs, const Parameter& table) {
  Program& program = graph.program();
  const std::uint32_t columns = table.columns;
  const Tensor y = program.activation(inputs.ids.rows, columns);
  const Tensor step = graph.step_scalars();
  program.launch(with_host_form(EmbeddingLaunch{
      .constants = {.columns = columns, .drops = 0},
      .operands = {.step = step,
                   .ids = inputs.ids,
                   .places = program.constant(1, std::vector<float>(y.rows.capacity)),
                   .table = graph.value(table),
                   .positions = program.constant(columns, std::vector<float>(columns)),
                   .y = y},
      .push = {.rows_count = y.rows.word,
               .tokens_count = y.rows.word,
               .site = 0,
               .threshold = 0,
               .scale = 1.0f,
               .multiplier = 1.0f},
      .x = Axis::rows(y.rows, ROWS_PER_GROUP)}));
  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy || !graph.trains(table)) return;
    const std::uint32_t lanes = program.engine().device.limits().subgroup_size;
    program.launch(with_host_form(
        EmbeddingBackwardLaunch{.constants = {.columns = columns, .drops = 0},
                                .operands = {.step = step,
                                             .segment_ids = inputs.by_id->keys,
                                             .segment_begins = inputs.by_id->begins,
                                             .sorted_rows = inputs.by_id->rows,
                                             .dy = *dy,
                                             .gradient = graph.parameter_gradient(table)},
                                .push = {.segments_count = inputs.by_id->count.word,
                                         .tokens_count = y.rows.word,
                                         .site = 0,
                                         .threshold = 0,
                                         .scale = 1.0f,
                                         .multiplier = 1.0f},
                                .x = Axis::rows(inputs.by_id->count),
                                .y = Axis::of(base::divide_up(columns / 4, lanes))}));
  });
  return y;
}

}  // namespace awend::nn
