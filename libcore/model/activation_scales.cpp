#include "model/activation_scales.hpp"

#include <limits>

#include "base/error.hpp"
#include "nn/activation_scales.hpp"
#include "store/weights.hpp"

namespace awend::model {

void load_activation_scales(nn::Parameters& parameters, const store::ArrayFile& file) {
  if (const auto stored = file.metadata(store::keys::kActivationScales)) {
    set_activation_scales(parameters, store::Settings::from_json(*stored, file.path()),
                          file.path());
  }
}

void set_activation_scales(nn::Parameters& parameters, const store::Settings& scales,
                           const std::string& file) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& name = parameters.name(i);
    if (!scales.find(name)) continue;
    const double scale = scales.number(name);
    if (!(scale > 0 && scale < std::numeric_limits<float>::max()))
      base::fail(file, ": the activation scale of '", name, "' is ", scale);
    nn::fix_activation_scale(parameters, parameters.parameter(i), static_cast<float>(scale));
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
