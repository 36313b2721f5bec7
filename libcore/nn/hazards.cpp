#include "nn/hazards.hpp"

#include <algorithm>

#include "vulkan/buffers.hpp"

namespace awend::nn {

std::vector<Touched> touched_by(const vulkan::Kernel& kernel,
                                std::span<const vulkan::Range> ranges) {
  std::vector<Touched> touched;
  auto next = ranges.begin();
  for (const auto& [number, binding] : kernel.reflection().bindings) {
    vulkan::Range range = *next++;
    if (number == 0) continue;
    const auto descriptor = kernel.descriptors().find(number);
    // A view may reach a little into what lies behind; the validation layer takes that for a read.
    if (descriptor != kernel.descriptors().end() && descriptor->second.texels)
      range.size_bytes = vulkan::texel_view_bytes(range.size_bytes);
    touched.push_back({range, binding.written});
  }
  return touched;
}

bool Hazards::conflicts(const Touched& wanted) const {
  return std::any_of(touched_.begin(), touched_.end(), [&](const Touched& other) {
    return (wanted.written || other.written) && other.range.overlaps(wanted.range);
  });
}

}  // namespace awend::nn
