#include "model/activation_scales.hpp"

#include "nn/activation_scales.hpp"

namespace awend::model {

void load_activation_scales(nn::Parameters& parameters, const store::ArrayFile& file) {
  set_activation_scales(parameters, store::read_activation_scales(file));
}

void set_activation_scales(nn::Parameters& parameters, const store::ActivationScales& scales) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto scale = scales.find(parameters.name(i));
    if (scale != scales.end())
      nn::fix_activation_scale(parameters, parameters.parameter(i), scale->second);
  }
}

store::Settings activation_scales_of(const nn::Parameters& parameters) {
  store::Settings scales;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const float scale = nn::activation_scale(parameters, parameters.parameter(i));
    if (scale > 0) scales.set(parameters.name(i), scale);
  }
  return scales;
}

}  // namespace awend::model
