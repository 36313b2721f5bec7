// Gated activation functions (Shazeer, 2020).
#include "base/error.hpp"
#include "nn/graph.hpp"
#include "nn/operations.hpp"
#include "shaders/op_gated_activation.h"

namespace awend::nn {

Tensor gated_activation(Graph& graph, const Tensor& z, const Tensor& x, Activation activation) {
  base::check(activation != Activation::kNone, "a gate has an activation function");
  Program& program = graph.program();
  const Tensor y = program.activation(z.rows, z.columns);
  const GatedActivationConstants constants{.columns = z.columns,
                                           .function = static_cast<std::uint32_t>(activation)};
  program.launch(GatedActivationLaunch{.constants = constants,
                                       .operands = {.z = z, .x = x, .y = y},
                                       .push = {.rows_count = z.rows.word},
                                       .x = Axis::rows(z.rows, ROWS_PER_GROUP)});
  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy) return;
    const auto dz = graph.gradient_target(z), dx = graph.gradient_target(x);
    base::check(!dz.adds && !dx.adds, "the operands of a gate have no other use");
    program.launch(GatedActivationBackwardLaunch{
        .constants = constants,
        .operands = {.z = z, .x = x, .dy = *dy, .dz = dz.tensor, .dx = dx.tensor},
        .push = {.rows_count = z.rows.word},
        .x = Axis::rows(z.rows, ROWS_PER_GROUP)});
  });
  return y;
}

}  // namespace awend::nn
