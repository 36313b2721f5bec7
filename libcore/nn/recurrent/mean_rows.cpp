#include "nn/recurrent/mean_rows.hpp"

#include "base/numbers.hpp"
#include "nn/graph.hpp"
#include "shaders/op_mean_rows.h"

namespace awend::nn {
namespace {

enum class Kind { kMean, kSum };

/// The sentences of a mean or sum, and its columns.
struct Sentences {
  Kind kind;
  Tensor ranges;

  Axis axis() const { return Axis::rows(ranges.rows); }
};

Axis column_groups(Program& program, std::uint32_t columns) {
  return Axis::of(base::divide_up(columns / 4, program.engine().limits().subgroup_size));
}

/// From rows to sentences.
void gather(Program& program, const Sentences& sentences, const Tensor& x,
            const GradientTarget& y) {
  program.launch(MeanRowsLaunch{
      .constants = {.columns = x.columns, .sum = sentences.kind == Kind::kSum, .add = y.adds},
      .operands = {.ranges = sentences.ranges, .x = x, .y = y.tensor},
      .push = {.sentences_count = sentences.ranges.rows.word},
      .x = sentences.axis(),
      .y = column_groups(program, x.columns)});
}

/// From sentences to rows.
void scatter(Program& program, const Sentences& sentences, const Tensor& y,
             const GradientTarget& x) {
  program.launch(MeanRowsBackwardLaunch{
      .constants = {.columns = y.columns, .sum = sentences.kind == Kind::kSum, .add = x.adds},
      .operands = {.ranges = sentences.ranges, .dy = y, .dx = x.tensor},
      .push = {.sentences_count = sentences.ranges.rows.word},
      .x = sentences.axis(),
      .y = column_groups(program, y.columns)});
}

}  // namespace

Tensor mean_rows(Graph& graph, const Tensor& x, const Tensor& ranges) {
  Program& program = graph.program();
  const Sentences sentences{Kind::kMean, ranges};
  const Tensor y = program.activation(ranges.rows, x.columns);
  gather(program, sentences, x, {y, false});
  graph.tape([=, &graph, &program] {
    if (const auto dy = graph.gradient(y))
      scatter(program, sentences, *dy, graph.gradient_target(x));
  });
  return y;
}

Tensor repeat_rows(Graph& graph, const Tensor& x, const Tensor& ranges, const Count& rows) {
  Program& program = graph.program();
  const Sentences sentences{Kind::kSum, ranges};
  const Tensor y = program.activation(rows, x.columns);
  scatter(program, sentences, x, {y, false});
  graph.tape([=, &graph, &program] {
    if (const auto dy = graph.gradient(y))
      gather(program, sentences, *dy, graph.gradient_target(x));
  });
  return y;
}

}  // namespace awend::nn
