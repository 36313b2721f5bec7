// The fixed scales of 8-bit products that a checkpoint may have, as the models of Firefox.
//
// Test: tests/properties/activation_scales_test.cpp.
#pragma once

#include "nn/parameters.hpp"
#include "store/array_file.hpp"

namespace awend::model {

/// Sets the scales by the names of matrices.  They have an effect on the processor if the weights
/// are quantized.  Throws Error naming the file if one is not a positive number.  Requires: no
/// product has read the parameters.
void load_activation_scales(nn::Parameters& parameters, const store::ArrayFile& file);

}  // namespace awend::model
