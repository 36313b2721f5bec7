// Fixed scales of the left operands of 8-bit products, as models have them that were trained for
// eight bits.
#pragma once

#include "nn/parameters.hpp"

namespace awend::nn {

/// What the left operands of 8-bit products with a parameter are multiplied with before they are
/// rounded and limited to [-127, 127]; otherwise, it is 127 over the largest magnitude of each row.
/// On a GPU, where products are not of 8 bits, there is no effect.  Requires: no product has read
/// the parameters.
void fix_activation_scale(Parameters& parameters, const Parameter& parameter, float scale);
/// The scale, or 0 if none is fixed.
float activation_scale(const Parameters& parameters, const Parameter& parameter);

}  // namespace awend::nn
