#include "nn/column_sum.hpp"

#include "base/numbers.hpp"
#include "shaders/op_column_sum.h"

namespace awend::nn {

void add_column_sums(Program& program, const Tensor& dy, const Tensor& gradient) {
  const std::uint32_t lanes = program.engine().limits().subgroup_size;
  const std::uint32_t groups = base::divide_up(dy.columns / 4, lanes);
  const std::uint32_t blocks = base::divide_up(dy.rows.capacity, COLUMN_SUM_ROWS);
  const Tensor partial = program.activation(program.fixed(blocks), dy.columns);
  program.launch(ColumnSumLaunch{.constants = {.columns = dy.columns},
                                 .operands = {.dy = dy, .partial = partial},
                                 .push = {.rows_count = dy.rows.word},
                                 .x = Axis::rows(dy.rows, COLUMN_SUM_ROWS),
                                 .y = Axis::of(groups)});
  program.launch(ColumnSumFinalLaunch{.constants = {.columns = dy.columns, .parts = 1, .part = 0},
                                      .operands = {.partial = partial, .gradient = gradient},
                                      .push = {.rows_count = dy.rows.word},
                                      .x = Axis::of(1),
                                      .y = Axis::of(groups)});
}

}  // namespace awend::nn
