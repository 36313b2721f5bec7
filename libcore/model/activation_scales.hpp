// The fixed scales of 8-bit products that a checkpoint may have, as the models of Firefox and those
// of train --quantize int8.
//
// Test: tests/properties/activation_scales_test.cpp.
#pragma once

#include "nn/parameters.hpp"
#include "store/activation_scales.hpp"
#include "store/array_file.hpp"
#include "store/stored_settings.hpp"

namespace awend::model {

/// Sets the scales by the names of matrices.  They have an effect on the processor if the weights
/// are quantized, and in training with fake quantization.  Throws Error naming the file if one is
/// not a positive number.  Requires: no product has read the parameters.
void load_activation_scales(nn::Parameters& parameters, const store::ArrayFile& file);
void set_activation_scales(nn::Parameters& parameters, const store::ActivationScales& scales);

/// The scales that are fixed, by the names of matrices, in the order of the parameters.
store::Settings activation_scales_of(const nn::Parameters& parameters);

}  // namespace awend::model
