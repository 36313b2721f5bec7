#include "nn/hazards.hpp"

#include <algorithm>

#include "vulkan/buffers.hpp"

namespace awend::nn {

std::vector<Access> accesses_of(const KernelBindings& bindings,
                                std::span<const vulkan::Range> ranges) {
  std::vector<Access> accesses;
  auto next = ranges.begin();
  for (const auto& [number, binding] : bindings.all) {
    vulkan::Range range = *next++;
    if (number == 0) continue;
    const auto descriptor = bindings.descriptors.find(number);
    // A texel view may extend past its range; the validation layer counts all of it as read.
    if (descriptor != bindings.descriptors.end() && descriptor->second.texels)
      range.size_bytes = vulkan::texel_view_bytes(range.size_bytes);
    accesses.push_back({range, binding.written});
  }
  return accesses;
}

bool Hazards::conflicts(const Access& next) const {
  return std::any_of(accesses_.begin(), accesses_.end(), [&](const Access& earlier) {
    return (next.written || earlier.written) && earlier.range.overlaps(next.range);
  });
}

}  // namespace awend::nn
