#include "store/activation_scales.hpp"

#include <limits>

#include "base/error.hpp"
#include "store/weights.hpp"

namespace awend::store {

ActivationScales activation_scales_of(const Settings& settings, const std::string& path) {
  ActivationScales scales;
  for (const auto& [name, value] : settings.entries()) {
    const double scale = settings.number(name);
    if (!(scale > 0 && scale < std::numeric_limits<float>::max()))
      base::fail(path, ": the activation scale of '", name, "' is ", scale);
    scales[name] = static_cast<float>(scale);
  }
  return scales;
}

ActivationScales read_activation_scales(const ArrayFile& file) {
  if (!file.metadata(keys::kActivationScales)) return {};
  return activation_scales_of(settings_at(file, keys::kActivationScales), file.path());
}

}  // namespace awend::store
