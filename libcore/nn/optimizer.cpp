#include "nn/optimizer.hpp"

#include "base/numbers.hpp"
#include "nn/narrow.hpp"
#include "nn/operations.hpp"
#include "shaders/op_moving_average.h"
#include "shaders/op_row_sum.h"
#include "shaders/op_square_sum.h"

namespace awend::nn {
namespace {

using Buffer = Parameters::Buffer;

/// Elements of a flat buffer that one workgroup processes, or that the host adds up as a part of
/// the norm.  The latter must not depend on the driver, which has other subgroups on other
/// processors.
std::uint32_t elements_per_group(const Program& program) {
  constexpr std::uint32_t kLanesOfHost = 8;
  const Engine& engine = program.engine();
  const std::uint32_t lanes = engine.on_processor() ? kLanesOfHost : engine.limits().subgroup_size;
  return 4 * FLAT_VECTORS_PER_LANE * lanes;
}

}  // namespace

Axis flat_groups(const Program& program, const Tensor& piece) {
  const std::uint32_t per_group = elements_per_group(program);
  return Axis::of(base::divide_up(piece.rows.capacity, per_group));
}

Tensor squared_norm(Program& program, const std::vector<Tensor>& gradients) {
  std::uint32_t partial_count = 0;
  for (const Tensor& piece : gradients) partial_count += flat_groups(program, piece).fixed;
  const Tensor partials = program.activation(program.fixed(partial_count), 2);
  std::uint32_t first = 0;
  for (const Tensor& piece : gradients) {
    const Axis groups = flat_groups(program, piece);
    program.launch(
        SquareSumLaunch{.constants = {},
                        .operands = {.values = piece, .partials = partials},
                        .push = {.floats_count = piece.rows.word, .first_partial = first},
                        .x = groups});
    first += groups.fixed;
  }
  const Tensor norm = program.output(program.fixed(1), 2);
  program.launch(RowSumLaunch{.constants = {},
                              .operands = {.pairs = partials, .totals = norm},
                              .push = {.rows_count = partials.rows.word}});
  return norm;
}

std::vector<DecayGroup> decay_groups(const WeightDecay& decay, ParameterKinds kinds) {
  const auto rate = static_cast<float>(decay.rate);
  if (decay.of == WeightDecayOf::kAll || rate == 0) return {{kinds, rate}};
  return {{kinds & kMatrices, rate}, {kinds & kVectors, 0}};
}

void follow_update(Graph& graph, Parameters& parameters, const Tensor& squared_norm) {
  Program& program = graph.program();
  if (parameters.keeps_average()) {
    const auto values = parameters.pieces(program, Buffer::kValues);
    const auto averages = parameters.pieces(program, Buffer::kAverage);
    for (std::size_t i = 0; i < values.size(); ++i) {
      program.launch(MovingAverageLaunch{.constants = {},
                                         .operands = {.step = graph.step_scalars(),
                                                      .squared_norm = squared_norm,
                                                      .x = values[i],
                                                      .average = averages[i]},
                                         .push = {.floats_count = values[i].rows.word},
                                         .x = flat_groups(program, values[i])});
    }
  }
  narrow_operands(program, parameters);
}

void narrow_operands(Program& program, const Parameters& parameters) {
  if (!parameters.keeps_operands()) return;
  const auto values = parameters.pieces(program, Buffer::kValues);
  const auto operands = parameters.pieces(program, Buffer::kOperands);
  for (std::size_t i = 0; i < values.size(); ++i) narrow(program, values[i], operands[i]);
}

}  // namespace awend::nn
