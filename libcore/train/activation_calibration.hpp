// The fixed scales with which training for eight bits rounds the left operands of products (see
// nn/activation_scales.hpp).
//
// Test: tests/learn/quantize_test.cpp, tests/cli/train_quantize.sh.
#pragma once

#include <cstdint>

#include "data/pairs_view.hpp"
#include "model/model.hpp"
#include "nn/engine.hpp"

namespace awend::train {

/// Fixes the scales of matrices that have none, by the magnitudes of the rows that are multiplied
/// with them: those of batches of the first epoch, without dropout.  They are the same for any
/// number of threads.
void calibrate_activations(nn::Engine& engine, const model::ModelView& model,
                           const data::PairsView& pairs, std::uint64_t seed);

}  // namespace awend::train
