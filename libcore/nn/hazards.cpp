#include "nn/hazards.hpp"

#include <algorithm>

namespace awend::nn {

std::vector<Access> accesses_of(const std::map<std::uint32_t, vulkan::Binding>& bindings,
                                std::span<const vulkan::Range> ranges) {
  std::vector<Access> accesses;
  auto next = ranges.begin();
  for (const auto& [number, binding] : bindings) {
    const vulkan::Range& range = *next++;
    if (number > 0) accesses.push_back({range, binding.written});
  }
  return accesses;
}

bool Hazards::conflicts(const Access& next) const {
  return std::any_of(accesses_.begin(), accesses_.end(), [&](const Access& earlier) {
    return (next.written || earlier.written) && earlier.range.overlaps(next.range);
  });
}

}  // namespace awend::nn
