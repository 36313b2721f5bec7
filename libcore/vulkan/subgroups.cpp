#include "vulkan/subgroups.hpp"

#include <algorithm>

namespace awend::vulkan {
namespace {

// Hardware with fewer lanes shares registers between them.
constexpr std::uint32_t kOwnRegisters = 32;
// A row of a head usually has 16 vectors, so that more lanes would mostly be idle.
constexpr std::uint32_t kGreatestUseful = 64;

}  // namespace

std::uint32_t subgroup_size(const SubgroupSizes& sizes) {
  if (!sizes.choosable || sizes.min == 0) return sizes.usual;
  if (sizes.min < kOwnRegisters) return std::clamp(kMinSubgroupSize, sizes.min, sizes.max);
  return std::clamp(std::min(sizes.usual, kGreatestUseful), sizes.min, sizes.max);
}

}  // namespace awend::vulkan
