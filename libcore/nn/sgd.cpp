// Stochastic gradient descent.
#include "nn/operations.hpp"
#include "nn/optimizer.hpp"
#include "shaders/op_sgd.h"

namespace awend::nn {

using Buffer = Parameters::Buffer;

Tensor sgd(Graph& graph, Parameters& parameters, const WeightDecay& decay) {
  Program& program = graph.program();
  const Tensor norm = squared_norm(program, parameters.pieces(program, Buffer::kGradients));
  for (const auto& [kinds, rate] : decay_groups(decay)) {
    const auto values = parameters.pieces(program, Buffer::kValues, kinds);
    const auto gradients = parameters.pieces(program, Buffer::kGradients, kinds);
    for (std::size_t i = 0; i < values.size(); ++i) {
      program.launch(SgdLaunch{.constants = {},
                               .operands = {.step = graph.step_scalars(),
                                            .squared_norm = norm,
                                            .x = values[i],
                                            .gradients = gradients[i]},
                               .push = {.floats_count = values[i].rows.word, .weight_decay = rate},
                               .x = flat_groups(program, values[i])});
    }
  }
  follow_update(graph, parameters, norm);
  return norm;
}

}  // namespace awend::nn
