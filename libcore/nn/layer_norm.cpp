// Layer normalisation, section 3.1.
#include "nn/operations.hpp"
#include "nn/shader_types.hpp"

namespace awend::nn {
namespace {

struct GainAndBias {
  Tensor dy, x, moments;
  Parameter gain, bias;
};

/// Adds Σ dy · n to the gain's gradient and Σ dy to the bias's.
void add_parameter_gradients(Graph& graph, const GainAndBias& t) {
  if (!graph.trains(t.gain) && !graph.trains(t.bias)) return;
  Program& program = graph.program();
  const std::uint32_t lanes = program.engine().device.limits().subgroup_size;
  const std::uint32_t groups = (t.x.columns / 4 + lanes - 1) / lanes;
  const std::uint32_t blocks = (t.x.rows.capacity + COLUMN_SUM_ROWS - 1) / COLUMN_SUM_ROWS;
  const Tensor partial = program.activation(program.fixed(blocks), 2 * t.x.columns);
  const auto push = bytes_of(RowsPush{t.x.rows.word});
  program.launch({.kernel = "column_sum_norm",
                  .constants = {t.x.columns},
                  .operands = {t.dy, partial, t.x, t.moments},
                  .push_constants = push,
                  .x = Axis::rows(t.x.rows, COLUMN_SUM_ROWS),
                  .y = Axis::of(groups)});
  const std::pair<std::uint32_t, Parameter> parts[] = {{0u, t.bias}, {1u, t.gain}};
  for (const auto& [part, parameter] : parts) {
    if (!graph.trains(parameter)) continue;
    program.launch({.kernel = "column_sum_final",
                    .constants = {t.x.columns, 2, part},
                    .operands = {partial, graph.parameter_gradient(parameter)},
                    .push_constants = push,
                    .x = Axis::of(1),
                    .y = Axis::of(groups)});
  }
}

}  // namespace

Tensor layer_norm(Graph& graph, const Tensor& x, const Parameter& gain, const Parameter& bias) {
  Program& program = graph.program();
  const std::uint32_t lanes = program.engine().device.limits().subgroup_size;
  const std::uint32_t per_lane = (x.columns / 4 + lanes - 1) / lanes;
  const Tensor y = program.activation(x.rows, x.columns);
  const Tensor moments = program.activation(x.rows, 2);
  const auto push = bytes_of(RowsPush{x.rows.word});
  program.launch({.kernel = "layer_norm",
                  .constants = {x.columns, per_lane, 0},
                  .operands = {x, graph.value(gain), graph.value(bias), y, moments},
                  .push_constants = push,
                  .x = Axis::rows(x.rows, ROWS_PER_GROUP)});
  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy) return;
    add_parameter_gradients(graph, {*dy, x, moments, gain, bias});
    const auto dx = graph.gradient_target(x);
    program.launch({.kernel = "layer_norm_backward",
                    .constants = {x.columns, per_lane, dx.adds ? 1u : 0u},
                    .operands = {x, graph.value(gain), *dy, moments, dx.tensor},
                    .push_constants = push,
                    .x = Axis::rows(x.rows, ROWS_PER_GROUP)});
  });
  return y;
}

}  // namespace awend::nn
