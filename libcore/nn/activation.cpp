// Activations that a product does not do by itself.
#include "nn/operations.hpp"
#include "nn/shader_types.hpp"

namespace awend::nn {

Tensor activate(Graph& graph, const Tensor& z, Activation activation) {
  Program& program = graph.program();
  const std::uint32_t is_swish = activation == Activation::kSwish ? 1 : 0;
  const Tensor y = program.activation(z.rows, z.columns);
  const RowsPush push{z.rows.word};
  program.launch({.kernel = "activation",
                  .constants = {z.columns, is_swish, 0},
                  .operands = {z, y},
                  .push_constants = bytes_of(push),
                  .x = Axis::rows(z.rows, ROWS_PER_GROUP)});
  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy) return;
    const auto dz = graph.gradient_target(z);
    program.launch({.kernel = "activation_backward",
                    .constants = {z.columns, is_swish, dz.adds ? 1U : 0U},
                    .operands = {z, *dy, dz.tensor},
                    .push_constants = bytes_of(push),
                    .x = Axis::rows(z.rows, ROWS_PER_GROUP)});
  });
  return y;
}

}  // namespace awend::nn
