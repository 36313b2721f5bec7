#include "nn/recurrent/mean_rows.hpp"

#include "base/numbers.hpp"
#include "nn/graph.hpp"
#include "shaders/op_mean_rows.h"

namespace awend::nn {

Tensor mean_rows(Graph& graph, const Tensor& x, const Tensor& ranges) {
  Program& program = graph.program();
  const std::uint32_t columns = x.columns;
  const Axis sentences = Axis::rows(ranges.rows);
  const Axis column_groups =
      Axis::of(base::divide_up(columns / 4, program.engine().limits().subgroup_size));
  const Tensor y = program.activation(ranges.rows, columns);
  program.launch(MeanRowsLaunch{.constants = {.columns = columns},
                                .operands = {.ranges = ranges, .x = x, .y = y},
                                .push = {.sentences_count = ranges.rows.word},
                                .x = sentences,
                                .y = column_groups});
  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy) return;
    const auto dx = graph.gradient_target(x);
    program.launch(
        MeanRowsBackwardLaunch{.constants = {.columns = columns, .add = dx.adds},
                               .operands = {.ranges = ranges, .dy = *dy, .dx = dx.tensor},
                               .push = {.sentences_count = ranges.rows.word},
                               .x = sentences,
                               .y = column_groups});
  });
  return y;
}

}  // namespace awend::nn
