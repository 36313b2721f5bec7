#include "nn/output_projection.hpp"

#include "base/error.hpp"
#include "nn/column_sum.hpp"
#include "nn/logits.hpp"
#include "nn/matmul/matmul.hpp"

namespace awend::nn {

OutputProjection::OutputProjection(Graph& graph, const Tensor& x, const OutputLayer& output)
    : graph_(graph),
      output_(output),
      weights_(graph.right_operand(output.table, Form::kNT)),
      operand_(graph.left_operand(x, output.table)) {
  if (graph.training()) {
    const auto target = graph.gradient_target(x);
    base::check(!target.adds, "the loss is the last operation on its input");
    dx_ = target.tensor;
  }
  if (output.bias) bias_row_ = as_row(graph.program(), graph.value(*output.bias));
}

void OutputProjection::append_logits(std::uint32_t first, const Tensor& logits) {
  matmul(graph_.program(),
         {.form = Form::kNT,
          .a = operand_.from_row(first, logits.rows),
          .b = weights_.tensor,
          .c = logits,
          .bias = bias_row_},
         weights_.constant);
}

void OutputProjection::append_gradients(std::uint32_t first, const Tensor& gradient) {
  if (!dx_) return;
  Program& program = graph_.program();
  if (output_.bias && graph_.trains(*output_.bias)) {
    add_column_sums(program, gradient, as_row(program, graph_.parameter_gradient(*output_.bias)));
  }
  const Tensor operand = graph_.narrowed(gradient);
  matmul(program, {.form = Form::kNN,
                   .a = operand,
                   .b = weights_.tensor,
                   .c = dx_->from_row(first, gradient.rows),
                   .bias = std::nullopt});
  if (!graph_.trains(output_.table)) return;
  matmul(program, {.form = Form::kTN,
                   .a = operand,
                   .b = operand_.from_row(first, gradient.rows),
                   .c = graph_.parameter_gradient(output_.table),
                   .bias = std::nullopt,
                   .flags = MATMUL_ACCUMULATE});
}

}  // namespace awend::nn
