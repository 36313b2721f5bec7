#include "nn/activation_scales.hpp"

#include "nn/matmul/prepared_operands.hpp"

namespace awend::nn {

void fix_activation_scale(Parameters& parameters, const Parameter& parameter, float scale) {
  const auto values = parameters.flat(parameters.place(parameter), Parameters::Buffer::kValues);
  if (values.host == nullptr) return;
  parameters.prepared().fix_left_scale(reinterpret_cast<const float*>(values.host), scale);
}

}  // namespace awend::nn
