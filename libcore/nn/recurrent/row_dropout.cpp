#include "nn/recurrent/row_dropout.hpp"

#include "nn/graph.hpp"
#include "nn/operations.hpp"
#include "nn/recurrent/move_rows.hpp"
#include "shaders/op_row_dropout.h"

namespace awend::nn {

void append_row_dropout(Graph& graph, const RowDropout& dropout) {
  const auto& [masks, dropout_id, numbers, a, y, x, adds] = dropout;
  graph.program().launch(RowDropoutLaunch{
      .constants = {.columns = a.columns, .has_x = x.has_value(), .add = adds},
      .operands =
          {.step = graph.step_scalars(), .masks = masks.masks, .x = x.value_or(a), .a = a, .y = y},
      .push = {.rows_count = masks.rows.word,
               .dropout_id = dropout_id,
               .threshold = numbers.threshold,
               .scale = numbers.scale},
      .x = Axis::rows(masks.rows, ROWS_PER_GROUP)});
}

Tensor row_dropout(Graph& graph, const Tensor& a, const RowMasks& masks, double probability) {
  if (!graph.training() || probability == 0) return a;
  const Tensor y = graph.program().activation(a.rows, a.columns);
  RowDropout dropout{.masks = masks,
                     .dropout_id = graph.next_dropout_id(),
                     .numbers = dropout_numbers(probability),
                     .a = a,
                     .y = y};
  append_row_dropout(graph, dropout);
  graph.tape([dropout, &graph] {
    const auto dy = graph.gradient(dropout.y);
    if (!dy) return;
    const auto da = graph.gradient_target(dropout.a);
    RowDropout backward = dropout;
    backward.a = *dy;
    backward.y = da.tensor;
    backward.adds = da.adds;
    append_row_dropout(graph, backward);
  });
  return y;
}

}  // namespace awend::nn
