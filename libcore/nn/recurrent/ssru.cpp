#include "nn/recurrent/ssru.hpp"

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "nn/graph.hpp"
#include "shaders/op_ssru.h"

namespace awend::nn {

SsruLayer ssru(Graph& graph, const SsruInputs& inputs) {
  const auto [ranges, candidate, forget, initial, result] = inputs;
  Program& program = graph.program();
  const std::uint32_t columns = candidate.columns;
  base::check(!initial || !graph.training(), "the first states have no gradient");
  const bool keeps = graph.training() || result == SsruInputs::States::kOutput;
  const Axis sentences = Axis::rows(ranges.rows);
  const Axis column_groups =
      Axis::of(base::divide_up(columns / 4, program.engine().limits().subgroup_size));
  const Tensor y = program.activation(candidate.rows, columns);
  const Tensor states = keeps ? program.activation(candidate.rows, columns) : y;
  program.launch(SsruLaunch{
      .constants = {.columns = columns, .has_initial = initial.has_value(), .keep = keeps},
      .operands = {.ranges = ranges,
                   .candidate = candidate,
                   .forget = forget,
                   .initial = initial.value_or(candidate),
                   .y = y,
                   .states = states},
      .push = {.sentences_count = ranges.rows.word},
      .x = sentences,
      .y = column_groups});
  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy) return;
    const auto dcandidate = graph.gradient_target(candidate);
    const auto dforget = graph.gradient_target(forget);
    base::check(!dcandidate.adds && !dforget.adds, "each product is used by one unit");
    program.launch(SsruBackwardLaunch{.constants = {.columns = columns},
                                      .operands = {.ranges = ranges,
                                                   .candidate = candidate,
                                                   .forget = forget,
                                                   .states = states,
                                                   .dy = *dy,
                                                   .dcandidate = dcandidate.tensor,
                                                   .dforget = dforget.tensor},
                                      .push = {.sentences_count = ranges.rows.word},
                                      .x = sentences,
                                      .y = column_groups});
  });
  return {y, keeps ? std::optional(states) : std::nullopt};
}

}  // namespace awend::nn
