#include "nn/activation_scales.hpp"

#include "nn/matmul/prepared_operands.hpp"

namespace awend::nn {

void fix_activation_scale(Parameters& parameters, const Parameter& parameter, float scale) {
  parameters.prepared().fix_left_scale(parameter.index, scale);
}

float activation_scale(const Parameters& parameters, const Parameter& parameter) {
  return parameters.prepared().left_scale(parameter.index);
}

}  // namespace awend::nn
