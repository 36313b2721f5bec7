// Adam, the optimizer of section 5.3.
#include "nn/graph.hpp"
#include "nn/operations.hpp"
#include "nn/optimizer.hpp"
#include "shaders/op_adam.h"

namespace awend::nn {

using Buffer = Parameters::Buffer;

namespace {

/// Updates the parameters of a group.
void update(Graph& graph, const Parameters& parameters, const AdamSettings& settings,
            const DecayGroup& group, const Tensor& norm) {
  Program& program = graph.program();
  const auto pieces = [&](Buffer buffer) {
    return parameters.pieces(program, buffer, group.kinds);
  };
  const auto values = pieces(Buffer::kValues), gradients = pieces(Buffer::kGradients);
  const auto moments1 = pieces(Buffer::kMoment1), moments2 = pieces(Buffer::kMoment2);
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
                                       .weight_decay = group.rate},
                              .x = flat_groups(program, values[i])});
  }
}

}  // namespace

void update_by_adam(Graph& graph, const Parameters& parameters, const AdamSettings& settings,
                    const Tensor& squared_norm, ParameterKinds kinds) {
  for (const auto& group : decay_groups(settings.weight_decay, kinds))
    update(graph, parameters, settings, group, squared_norm);
}

Tensor adam(Graph& graph, Parameters& parameters, const AdamSettings& settings) {
  Program& program = graph.program();
  const Tensor norm = squared_norm(program, parameters.pieces(program, Buffer::kGradients));
  update_by_adam(graph, parameters, settings, norm);
  follow_update(graph, parameters, norm);
  return norm;
}

}  // namespace awend::nn
