#include "store/activation_scales.hpp"

#include <limits>

#include "base/error.hpp"
#include "store/stored_settings.hpp"
#include "store/weights.hpp"

namespace awend::store {

ActivationScales read_activation_scales(const ArrayFile& file) {
  ActivationScales scales;
  const auto stored = file.metadata(keys::kActivationScales);
  if (!stored) return scales;
  const auto settings = Settings::from_json(*stored, file.path());
  for (const auto& [name, value] : settings.entries()) {
    const double scale = settings.number(name);
    if (!(scale > 0 && scale < std::numeric_limits<float>::max()))
      base::fail(file.path(), ": the activation scale of '", name, "' is ", scale);
    scales[name] = static_cast<float>(scale);
  }
  return scales;
}

}  // namespace awend::store
