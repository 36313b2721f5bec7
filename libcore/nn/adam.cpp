// The optimiser, section 5.3.
#include <utility>

#include "nn/matmul.hpp"
#include "nn/operations.hpp"
#include "nn/shader_types.hpp"

namespace awend::nn {

Tensor adam(Graph& graph, Parameters& parameters, const AdamSettings& settings) {
  using Buffer = Parameters::Buffer;
  Program& program = graph.program();
  const std::uint32_t per_group =
      4 * FLAT_VECTORS_PER_LANE * program.engine().device.limits().subgroup_size;
  const auto groups_of = [&](const Tensor& piece) {
    return (piece.rows.capacity + per_group - 1) / per_group;
  };
  const auto gradients = parameters.pieces(program, Buffer::kGradients);
  std::uint32_t partial_count = 0;
  for (const Tensor& piece : gradients) partial_count += groups_of(piece);

  const Tensor partials = program.activation(program.fixed(partial_count), 2);
  std::uint32_t first = 0;
  for (const Tensor& piece : gradients) {
    program.launch({.kernel = "square_sum",
                    .constants = {},
                    .operands = {piece, partials},
                    .push_constants = bytes_of(NormPush{piece.rows.word, first}),
                    .x = Axis::of(groups_of(piece))});
    first += groups_of(piece);
  }
  const Tensor norm = program.output(program.fixed(1), 2);
  program.launch({.kernel = "row_sum",
                  .constants = {},
                  .operands = {partials, norm},
                  .push_constants = bytes_of(RowsPush{partials.rows.word})});

  const auto values = parameters.pieces(program, Buffer::kValues);
  const auto moments1 = parameters.pieces(program, Buffer::kMoment1);
  const auto moments2 = parameters.pieces(program, Buffer::kMoment2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    program.launch({.kernel = "adam",
                    .constants = {},
                    .operands = {graph.step_scalars(), norm, values[i], gradients[i], moments1[i],
                                 moments2[i]},
                    .push_constants = bytes_of(AdamPush{
                        values[i].rows.word, static_cast<float>(settings.beta1),
                        static_cast<float>(settings.beta2), static_cast<float>(settings.epsilon),
                        static_cast<float>(settings.weight_decay)}),
                    .x = Axis::of(groups_of(values[i]))});
  }
  if (parameters.keeps_average()) {
    const auto averages = parameters.pieces(program, Buffer::kAverage);
    for (std::size_t i = 0; i < values.size(); ++i) {
      program.launch({.kernel = "moving_average",
                      .constants = {},
                      .operands = {graph.step_scalars(), norm, values[i], averages[i]},
                      .push_constants = bytes_of(AveragePush{values[i].rows.word}),
                      .x = Axis::of(groups_of(values[i]))});
    }
  }
  narrow_operands(program, parameters);
  return norm;
}

void narrow_operands(Program& program, const Parameters& parameters) {
  if (parameters.operands() == Element::kFloat32) return;
  const auto values = parameters.pieces(program, Parameters::Buffer::kValues);
  const auto operands = parameters.pieces(program, Parameters::Buffer::kOperands);
  for (std::size_t i = 0; i < values.size(); ++i) narrow(program, values[i], operands[i]);
}

}  // namespace awend::nn
