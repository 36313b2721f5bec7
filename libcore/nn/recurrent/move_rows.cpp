#include "nn/recurrent/move_rows.hpp"

#include "base/error.hpp"
#include "nn/graph.hpp"
#include "shaders/op_move_rows.h"

namespace awend::nn {

void move_rows(Program& program, const RowMove& move) {
  const auto& [x, y, rows, table, by, width, x_offset, y_offset, adds] = move;
  base::check((by == RowMove::By::kOrder) != table.has_value(), "only a table gives an order");
  program.launch(MoveRowsLaunch{.constants = {.width = width == 0 ? x.columns : width,
                                              .x_columns = x.columns,
                                              .x_offset = x_offset,
                                              .y_columns = y.columns,
                                              .y_offset = y_offset,
                                              .gather = by == RowMove::By::kGather,
                                              .scatter = by == RowMove::By::kScatter,
                                              .zero = 0,
                                              .add = adds},
                                .operands = {.table = table.value_or(x), .x = x, .y = y},
                                .push = {.rows_count = rows.word},
                                .x = Axis::rows(rows, ROWS_PER_GROUP)});
}

void zero_rows(Program& program, const Tensor& y, const Count& rows) {
  program.launch(MoveRowsLaunch{.constants = {.width = y.columns,
                                              .x_columns = y.columns,
                                              .x_offset = 0,
                                              .y_columns = y.columns,
                                              .y_offset = 0,
                                              .gather = 0,
                                              .scatter = 0,
                                              .zero = 1,
                                              .add = 0},
                                .operands = {.table = y, .x = y, .y = y},
                                .push = {.rows_count = rows.word},
                                .x = Axis::rows(rows, ROWS_PER_GROUP)});
}

Tensor concat_columns(Graph& graph, const Tensor& a, const Tensor& b) {
  Program& program = graph.program();
  const Tensor y = program.activation(a.rows, a.columns + b.columns);
  move_rows(program, {.x = a, .y = y, .rows = y.rows});
  move_rows(program, {.x = b, .y = y, .rows = y.rows, .y_offset = a.columns});
  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy) return;
    const auto add_part = [&](const Tensor& part, std::uint32_t offset) {
      const auto target = graph.gradient_target(part);
      move_rows(program, {.x = *dy,
                          .y = target.tensor,
                          .rows = y.rows,
                          .width = part.columns,
                          .x_offset = offset,
                          .adds = target.adds});
    };
    add_part(a, 0);
    add_part(b, a.columns);
  });
  return y;
}

Tensor permute_rows(Graph& graph, const Tensor& x, const Tensor& table, const Count& rows) {
  Program& program = graph.program();
  const Tensor y = program.activation(rows, x.columns);
  move_rows(program, {.x = x, .y = y, .rows = rows, .table = table, .by = RowMove::By::kGather});
  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy) return;
    const auto dx = graph.gradient_target(x);
    move_rows(program, {.x = *dy,
                        .y = dx.tensor,
                        .rows = rows,
                        .table = table,
                        .by = RowMove::By::kScatter,
                        .adds = dx.adds});
  });
  return y;
}

Tensor gather_rows(Graph& graph, const Tensor& x, const RowSelection& selection,
                   const Count& rows) {
  Program& program = graph.program();
  const auto [table, entries] = selection;
  const Tensor y = program.activation(rows, x.columns);
  move_rows(program, {.x = x, .y = y, .rows = entries, .table = table, .by = RowMove::By::kGather});
  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy) return;
    const auto dx = graph.gradient_target(x);
    // Rows that are not selected have no gradient from here.
    if (!dx.adds) zero_rows(program, dx.tensor, x.rows);
    move_rows(program, {.x = *dy,
                        .y = dx.tensor,
                        .rows = entries,
                        .table = table,
                        .by = RowMove::By::kScatter,
                        .adds = true});
  });
  return y;
}

}  // namespace awend::nn
