// Maxout units of two inputs each.
#include "base/error.hpp"
#include "nn/graph.hpp"
#include "nn/operations.hpp"
#include "shaders/op_maxout.h"

namespace awend::nn {

Tensor maxout(Graph& graph, const Tensor& z) {
  base::check(z.columns % 8 == 0, "rows of maxout units are vectors of four");
  Program& program = graph.program();
  const std::uint32_t columns = z.columns / 2;
  const Tensor y = program.activation(z.rows, columns);
  program.launch(MaxoutLaunch{.constants = {.columns = columns, .z_columns = z.columns},
                              .operands = {.z = z, .y = y},
                              .push = {.rows_count = z.rows.word},
                              .x = Axis::rows(z.rows, ROWS_PER_GROUP)});
  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy) return;
    const auto dz = graph.gradient_target(z);
    program.launch(MaxoutBackwardLaunch{
        .constants = {.columns = columns, .z_columns = z.columns, .add = dz.adds},
        .operands = {.z = z, .dy = *dy, .dz = dz.tensor},
        .push = {.rows_count = z.rows.word},
        .x = Axis::rows(z.rows, ROWS_PER_GROUP)});
  });
  return y;
}

}  // namespace awend::nn
