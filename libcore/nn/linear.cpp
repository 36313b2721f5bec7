// The linear layer and its gradients:  y = act(x W + b);  dx = dz Wᵀ,  dW = xᵀ dz,  db = Σ dz.
#include "base/error.hpp"
#include "nn/column_sum.hpp"
#include "nn/graph.hpp"
#include "nn/matmul/matmul.hpp"
#include "nn/operations.hpp"
#include "shaders/op_relu_backward.h"

namespace awend::nn {

Tensor linear(Graph& graph, const Tensor& x, const Parameter& w,
              const std::optional<Parameter>& bias, Activation activation) {
  if (activation != Activation::kNone && activation != Activation::kRelu)
    return activate(graph, linear(graph, x, w, bias), activation);
  base::check(w.rows == x.columns,
              "the weight of a linear layer has a row for each column of the input");
  Program& program = graph.program();
  const Tensor y = program.activation(x.rows, w.columns);
  const Tensor a = graph.left_operand(x, w);
  const auto b = graph.right_operand(w);
  Product forward{.form = Form::kNN, .a = a, .b = b.tensor, .c = y, .bias = std::nullopt};
  if (bias) forward.bias = graph.value(*bias);
  if (activation == Activation::kRelu) forward.flags = MATMUL_RELU;
  matmul(program, forward, b.constant);

  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy) return;
    if (activation == Activation::kRelu) {
      program.launch(ReluBackwardLaunch{.constants = {.columns = y.columns},
                                        .operands = {.y = y, .dy = *dy},
                                        .push = {.rows_count = y.rows.word},
                                        .x = Axis::rows(y.rows, ROWS_PER_GROUP)});
    }
    if (bias && graph.trains(*bias)) add_column_sums(program, *dy, graph.parameter_gradient(*bias));
    const Tensor dz = graph.narrowed(*dy);
    if (graph.trains(w)) {
      matmul(program, {.form = Form::kTN,
                       .a = a,
                       .b = dz,
                       .c = graph.parameter_gradient(w),
                       .bias = std::nullopt,
                       .flags = MATMUL_ACCUMULATE});
    }
    const auto dx = graph.gradient_target(x);
    matmul(program, {.form = Form::kNT,
                     .a = dz,
                     .b = graph.operand(w),
                     .c = dx.tensor,
                     .bias = std::nullopt,
                     .flags = dx.adds ? MATMUL_ACCUMULATE : 0U});
  });
  return y;
}

}  // namespace awend::nn
