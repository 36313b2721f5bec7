// Adam, the optimizer of section 5.3.
#include "nn/graph.hpp"
#include "nn/operations.hpp"
#include "nn/optimizer.hpp"
#include "shaders/op_adam.h"

namespace awend::nn {

using Buffer = Parameters::Buffer;

Tensor adam(Graph& graph, Parameters& parameters, const AdamSettings& settings) {
  Program& program = graph.program();
  const auto gradients = parameters.pieces(program, Buffer::kGradients);
  const Tensor norm = squared_norm(program, gradients);
  const auto values = parameters.pieces(program, Buffer::kValues);
  const auto moments1 = parameters.pieces(program, Buffer::kMoment1);
  const auto moments2 = parameters.pieces(program, Buffer::kMoment2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    program.launch(AdamLaunch{.constants = {},
                              .operands = {.step = graph.step_scalars(),
                                           .squared_norm = norm,
                                           .x = values[i],
                                           .gradients = gradients[i],
                                           .m = moments1[i],
                                           .v = moments2[i]},
                              .push = {.floats_count = values[i].rows.word,
                                       .beta1 = static_cast<float>(settings.beta1),
                                       .beta2 = static_cast<float>(settings.beta2),
                                       .epsilon = static_cast<float>(settings.epsilon),
                                       .weight_decay = static_cast<float>(settings.weight_decay)},
                              .x = flat_groups(program, values[i])});
  }
  follow_update(graph, parameters, norm);
  return norm;
}

}  // namespace awend::nn
