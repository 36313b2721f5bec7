// Residual connection and dropout, section 5.4.
#include "base/error.hpp"
#include "base/random.hpp"
#include "nn/dropout.hpp"
#include "nn/operations.hpp"
#include "nn/shader_types.hpp"

namespace awend::nn {
namespace {

/// y = [x +] dropout(a); without x the kernel's binding for it shows `a` and is not read.
Tensor append(Graph& graph, const std::optional<Tensor>& x, const Tensor& a, double probability) {
  Program& program = graph.program();
  const DropoutNumbers numbers = dropout_numbers(graph.training() ? probability : 0.0);
  const std::uint32_t has_x = x ? 1 : 0;
  const Tensor y = program.activation(a.rows, a.columns);
  const ElementwisePush push{a.rows.word, graph.next_site(), numbers.threshold, numbers.scale};
  const Tensor step = graph.step_scalars();
  program.launch({.kernel = "residual",
                  .constants = {a.columns, has_x, 0, 0, numbers.drops},
                  .operands = {step, x.value_or(a), a, y},
                  .push_constants = bytes_of(push),
                  .x = Axis::rows(a.rows, ROWS_PER_GROUP)});
  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy) return;
    const auto da = graph.gradient_target(a);
    const auto dx = x ? graph.gradient_target(*x) : da;
    program.launch(
        {.kernel = "residual_backward",
         .constants = {a.columns, has_x, dx.adds ? 1u : 0u, da.adds ? 1u : 0u, numbers.drops},
         .operands = {step, *dy, dx.tensor, da.tensor},
         .push_constants = bytes_of(push),
         .x = Axis::rows(a.rows, ROWS_PER_GROUP)});
  });
  return y;
}

}  // namespace

DropoutNumbers dropout_numbers(double probability) {
  if (!(probability >= 0 && probability < 1)) {
    base::fail("a dropout probability of ", probability, " is not in [0, 1)");
  }
  return {probability > 0 ? 1u : 0u, base::dropout_threshold(probability),
          static_cast<float>(1 / (1 - probability))};
}

Tensor residual(Graph& graph, const Tensor& x, const Tensor& a, double dropout) {
  return append(graph, x, a, dropout);
}

Tensor dropout(Graph& graph, const Tensor& a, double probability) {
  if (!graph.training() || probability == 0) return a;
  return append(graph, std::nullopt, a, probability);
}

}  // namespace awend::nn
