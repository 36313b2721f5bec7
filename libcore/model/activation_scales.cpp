#include "model/activation_scales.hpp"

#include <limits>

#include "base/error.hpp"
#include "nn/activation_scales.hpp"
#include "store/stored_settings.hpp"
#include "store/weights.hpp"

namespace awend::model {

void load_activation_scales(nn::Parameters& parameters, const store::ArrayFile& file) {
  const auto stored = file.metadata(store::keys::kActivationScales);
  if (!stored) return;
  const auto scales = store::Settings::from_json(*stored, file.path());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& name = parameters.name(i);
    if (!scales.find(name)) continue;
    const double scale = scales.number(name);
    if (!(scale > 0 && scale < std::numeric_limits<float>::max()))
      base::fail(file.path(), ": the activation scale of '", name, "' is ", scale);
    nn::fix_activation_scale(parameters, parameters.parameter(i), static_cast<float>(scale));
  }
}

}  // namespace awend::model
