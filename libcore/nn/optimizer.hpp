// The parts that all optimizers have: the norm of the gradients, and what follows the update.
// Test: tests/kernels/adam_test.cpp, tests/kernels/muon_test.cpp, tests/kernels/sgd_test.cpp.
#pragma once

#include "nn/graph.hpp"
#include "nn/operation_settings.hpp"

namespace awend::nn {

/// The workgroups of a piece of a flat buffer.
Axis flat_groups(const Program& program, const Tensor& piece);
/// The squared global norm of the gradients, (1, 2); the second number is 0.
Tensor squared_norm(Program& program, const std::vector<Tensor>& gradients);
/// Parameters that are updated with the same weight decay.
struct DecayGroup {
  ParameterKinds kinds;
  float rate;
};
/// Those of `kinds`.
std::vector<DecayGroup> decay_groups(const WeightDecay& decay, ParameterKinds kinds = kAllKinds);
/// Appends the update of parameters of these kinds by Adam.
void update_by_adam(Graph& graph, const Parameters& parameters, const AdamSettings& settings,
                    const Tensor& squared_norm, ParameterKinds kinds = kAllKinds);
/// Appends the update of the moving average, if there is one, and of the 16-bit copies.
void follow_update(Graph& graph, Parameters& parameters, const Tensor& squared_norm);

}  // namespace awend::nn
