#include "vulkan/memory_types.hpp"

#include <algorithm>
#include <array>

namespace awend::vulkan {
namespace {

constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags kMapped =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

/// Requested properties, best first.
std::array<VkMemoryPropertyFlags, 2> preferences(const MemoryRequest& request) {
  if (request.device == DeviceType::kCpu) return {kMapped | kLocal, kMapped};
  switch (request.kind) {
    case MemoryKind::kUpload:
      return {kMapped | kLocal, kMapped};
    case MemoryKind::kDownload:
      return {kMapped | kCached, kMapped};
    default:
      return {kLocal, 0};
  }
}

}  // namespace

std::vector<std::uint32_t> memory_types(const VkPhysicalDeviceMemoryProperties& memory,
                                        const MemoryRequest& request) {
  std::vector<std::uint32_t> types;
  for (const VkMemoryPropertyFlags requested : preferences(request)) {
    for (std::uint32_t type = 0; type < memory.memoryTypeCount; ++type) {
      const VkMemoryPropertyFlags flags = memory.memoryTypes[type].propertyFlags;
      const bool fits = (request.allowed_types >> type & 1) != 0 &&
                        (flags & requested) == requested &&
                        (flags & ~(kLocal | kMapped | kCached)) == 0;
      if (fits && std::ranges::find(types, type) == types.end()) types.push_back(type);
    }
  }
  return types;
}

bool is_device_local(const VkPhysicalDeviceMemoryProperties& memory, std::uint32_t type) {
  return (memory.memoryTypes[type].propertyFlags & kLocal) != 0;
}

}  // namespace awend::vulkan
