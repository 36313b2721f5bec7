// The loss of spans: softmax over the rows of a sentence, not over a vocabulary.
#include "base/error.hpp"
#include "nn/graph.hpp"
#include "nn/loss.hpp"
#include "nn/output_projection.hpp"
#include "shaders/op_span_loss.h"

namespace awend::nn {

SpanLoss::SpanLoss(Graph& graph, const Tensor& x, const OutputLayer& output,
                   const SpanLossInputs& inputs)
    : Loss(graph.program(), graph.program().activation(inputs.ranges.rows, 2)) {
  base::check(output.table.rows == 2, "a span has two ends");
  OutputProjection projection(graph, x, output);
  const Tensor logits = program().activation(x.rows, output.table.padded_rows());
  projection.append_logits(0, logits);
  program().launch(SpanLossLaunch{.constants = {.gradient = graph.training()},
                                  .operands = {.step = graph.step_scalars(),
                                               .ranges = inputs.ranges,
                                               .targets = inputs.targets,
                                               .logits = logits,
                                               .losses = rows()},
                                  .push = {.sentences_count = inputs.ranges.rows.word},
                                  .x = Axis::rows(inputs.ranges.rows)});
  projection.append_gradients(0, logits);
  append_totals();
}

}  // namespace awend::nn
