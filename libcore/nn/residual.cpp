// Residual connection and dropout, section 5.4.
#include "base/error.hpp"
#include "base/random.hpp"
#include "nn/dropout.hpp"
#include "nn/graph.hpp"
#include "nn/operations.hpp"
#include "shaders/op_residual.h"

namespace awend::nn {
namespace {

/// y = [x +] dropout(a).  Without x, the kernel does not read its operand x, which is then `a`.
Tensor append_dropout(Graph& graph, const std::optional<Tensor>& x, const Tensor& a,
                      const DropoutNumbers& numbers) {
  Program& program = graph.program();
  const Tensor y = program.activation(a.rows, a.columns);
  const ResidualPush push{.rows_count = a.rows.word,
                          .dropout_id = graph.next_dropout_id(),
                          .threshold = numbers.threshold,
                          .scale = numbers.scale};
  const Tensor step = graph.step_scalars();
  program.launch(ResidualLaunch{.constants = {.columns = a.columns,
                                              .has_x = x.has_value(),
                                              .add_x = 0,
                                              .add_a = 0,
                                              .drops = numbers.drops},
                                .operands = {.step = step, .x = x.value_or(a), .a = a, .y = y},
                                .push = push,
                                .x = Axis::rows(a.rows, ROWS_PER_GROUP)});
  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy) return;
    const auto da = graph.gradient_target(a);
    const auto dx = x ? graph.gradient_target(*x) : da;
    program.launch(ResidualBackwardLaunch{
        .constants = {.columns = a.columns,
                      .has_x = x.has_value(),
                      .add_x = dx.adds,
                      .add_a = da.adds,
                      .drops = numbers.drops},
        .operands = {.step = step, .dy = *dy, .dx = dx.tensor, .da = da.tensor},
        .push = push,
        .x = Axis::rows(a.rows, ROWS_PER_GROUP)});
  });
  return y;
}

}  // namespace

DropoutNumbers dropout_numbers(double probability) {
  if (!(probability >= 0 && probability < 1)) {
    base::fail("dropout probability must be in [0, 1), got ", probability);
  }
  return {probability > 0 ? 1u : 0u, base::dropout_threshold(probability),
          static_cast<float>(1 / (1 - probability))};
}

Tensor residual(Graph& graph, const Tensor& x, const Tensor& a, double dropout) {
  return append_dropout(graph, x, a, dropout_numbers(graph.training() ? dropout : 0.0));
}

Tensor dropout(Graph& graph, const Tensor& a, double probability) {
  if (!graph.training() || probability == 0) return a;
  return append_dropout(graph, std::nullopt, a, dropout_numbers(probability));
}

Tensor scaled(Graph& graph, const Tensor& a, double factor) {
  // Dropout with another factor that drops nothing.
  return append_dropout(graph, std::nullopt, a,
                        {.drops = 1, .threshold = 0, .scale = static_cast<float>(factor)});
}

}  // namespace awend::nn
