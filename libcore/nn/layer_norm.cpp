// Layer normalization, section 3.1, and RMS normalization.
#include "base/numbers.hpp"
#include "nn/graph.hpp"
#include "nn/operations.hpp"
#include "shaders/op_column_sum.h"
#include "shaders/op_layer_norm.h"
#include "shaders/op_rms_norm.h"

namespace awend::nn {
namespace {

struct GainAndBias {
  Tensor dy, x, moments;
  Parameter gain;
  std::optional<Parameter> bias;
};

/// Adds Σ dy · n to the gain's gradient and Σ dy to the bias's.
void add_parameter_gradients(Graph& graph, const GainAndBias& t) {
  const bool trains_bias = t.bias && graph.trains(*t.bias);
  if (!graph.trains(t.gain) && !trains_bias) return;
  Program& program = graph.program();
  const std::uint32_t lanes = program.engine().limits().subgroup_size;
  const std::uint32_t groups = base::divide_up(t.x.columns / 4, lanes);
  const std::uint32_t blocks = base::divide_up(t.x.rows.capacity, COLUMN_SUM_ROWS);
  const Tensor partial = program.activation(program.fixed(blocks), 2 * t.x.columns);
  program.launch(ColumnSumNormLaunch{
      .constants = {.columns = t.x.columns},
      .operands = {.dy = t.dy, .partial = partial, .x = t.x, .moments = t.moments},
      .push = {.rows_count = t.x.rows.word},
      .x = Axis::rows(t.x.rows, COLUMN_SUM_ROWS),
      .y = Axis::of(groups)});
  const std::pair<std::uint32_t, std::optional<Parameter>> parts[] = {{0u, t.bias}, {1u, t.gain}};
  for (const auto& [part, parameter] : parts) {
    if (!parameter || !graph.trains(*parameter)) continue;
    program.launch(ColumnSumFinalLaunch{
        .constants = {.columns = t.x.columns, .parts = 2, .part = part},
        .operands = {.partial = partial, .gradient = graph.parameter_gradient(*parameter)},
        .push = {.rows_count = t.x.rows.word},
        .x = Axis::of(1),
        .y = Axis::of(groups)});
  }
}

}  // namespace

Tensor layer_norm(Graph& graph, const Tensor& x, const LayerNorm& norm) {
  const auto& [gain, bias, epsilon] = norm;
  Program& program = graph.program();
  const std::uint32_t lanes = program.engine().limits().subgroup_size;
  const std::uint32_t per_lane = base::divide_up(x.columns / 4, lanes);
  const Tensor y = program.activation(x.rows, x.columns);
  const Tensor moments = program.activation(x.rows, 2);
  program.launch(
      LayerNormLaunch{.constants = {.columns = x.columns, .per_lane = per_lane},
                      .operands = {.x = x,
                                   .gain = graph.value(gain),
                                   .bias = graph.value(bias),
                                   .y = y,
                                   .moments = moments},
                      .push = {.rows_count = x.rows.word, .epsilon = static_cast<float>(epsilon)},
                      .x = Axis::rows(x.rows, ROWS_PER_GROUP)});
  graph.tape([=, gain = gain, bias = bias, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy) return;
    add_parameter_gradients(graph, {*dy, x, moments, gain, bias});
    const auto dx = graph.gradient_target(x);
    program.launch(LayerNormBackwardLaunch{
        .constants = {.columns = x.columns, .per_lane = per_lane, .add = dx.adds},
        .operands =
            {.x = x, .gain = graph.value(gain), .dy = *dy, .moments = moments, .dx = dx.tensor},
        .push = {.rows_count = x.rows.word},
        .x = Axis::rows(x.rows, ROWS_PER_GROUP)});
  });
  return y;
}

Tensor rms_norm(Graph& graph, const Tensor& x, const Parameter& gain, double epsilon) {
  Program& program = graph.program();
  const std::uint32_t lanes = program.engine().limits().subgroup_size;
  const std::uint32_t per_lane = base::divide_up(x.columns / 4, lanes);
  const Tensor y = program.activation(x.rows, x.columns);
  const Tensor moments = program.activation(x.rows, 2);
  program.launch(
      RmsNormLaunch{.constants = {.columns = x.columns, .per_lane = per_lane},
                    .operands = {.x = x, .gain = graph.value(gain), .y = y, .moments = moments},
                    .push = {.rows_count = x.rows.word, .epsilon = static_cast<float>(epsilon)},
                    .x = Axis::rows(x.rows, ROWS_PER_GROUP)});
  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy) return;
    add_parameter_gradients(graph, {*dy, x, moments, gain, std::nullopt});
    const auto dx = graph.gradient_target(x);
    program.launch(RmsNormBackwardLaunch{
        .constants = {.columns = x.columns, .per_lane = per_lane, .add = dx.adds},
        .operands =
            {.x = x, .gain = graph.value(gain), .dy = *dy, .moments = moments, .dx = dx.tensor},
        .push = {.rows_count = x.rows.word},
        .x = Axis::rows(x.rows, ROWS_PER_GROUP)});
  });
  return y;
}

}  // namespace awend::nn
