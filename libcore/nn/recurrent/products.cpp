#include "nn/recurrent/products.hpp"

#include "nn/column_sum.hpp"
#include "nn/graph.hpp"
#include "nn/matmul/matmul.hpp"

namespace awend::nn {
namespace {

std::uint32_t flags_of(Result result) {
  return result == Result::kAdded ? std::uint32_t{MATMUL_ACCUMULATE} : 0;
}

}  // namespace

void multiply(Graph& graph, const StepProduct& product) {
  const auto b = graph.right_operand(product.w);
  Product forward{.form = Form::kNN,
                  .a = graph.narrowed(product.x),
                  .b = b.tensor,
                  .c = product.y,
                  .bias = std::nullopt,
                  .flags = flags_of(product.result)};
  if (product.bias) forward.bias = graph.value(*product.bias);
  matmul(graph.program(), forward, b.constant);
}

void multiply_transposed(Graph& graph, const StepProductGradient& product) {
  matmul(graph.program(), {.form = Form::kNT,
                           .a = graph.narrowed(product.dy),
                           .b = graph.operand(product.w),
                           .c = product.dx,
                           .bias = std::nullopt,
                           .flags = flags_of(product.result)});
}

void add_weight_gradient(Graph& graph, const Tensor& x, const Tensor& dy, const Parameter& w,
                         const std::optional<Parameter>& bias) {
  if (bias && graph.trains(*bias))
    add_column_sums(graph.program(), dy, graph.parameter_gradient(*bias));
  if (!graph.trains(w)) return;
  matmul(graph.program(), {.form = Form::kTN,
                           .a = graph.narrowed(x),
                           .b = graph.narrowed(dy),
                           .c = graph.parameter_gradient(w),
                           .bias = std::nullopt,
                           .flags = MATMUL_ACCUMULATE});
}

}  // namespace awend::nn
