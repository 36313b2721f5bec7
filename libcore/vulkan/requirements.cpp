#include "vulkan/requirements.hpp"

#include <algorithm>

#include "base/concat.hpp"

namespace awend::vulkan {

std::uint32_t storage_buffers(const VkPhysicalDeviceLimits& limits) {
  return std::min({limits.maxPerStageDescriptorStorageBuffers,
                   limits.maxDescriptorSetStorageBuffers, limits.maxPerStageResources});
}

BufferTraits buffer_traits(const Properties& properties) {
  const auto& limits = properties.core.properties.limits;
  return {.driver = properties.v12.driverID,
          .driver_info = properties.v12.driverInfo,
          .has_addresses = properties.features12.bufferDeviceAddress &&
                           properties.features.features.shaderInt64 &&
                           limits.maxPushConstantsSize >= 256 &&
                           storage_buffers(limits) >= kStorageBuffersBesideAddresses,
          .validated = false,
          .storage_buffers = storage_buffers(limits)};
}

SubgroupSizes subgroup_sizes(const Properties& properties) {
  return {
      .usual = properties.v11.subgroupSize,
      .min = properties.v13.minSubgroupSize,
      .max = properties.v13.maxSubgroupSize,
      .choosable = (properties.v13.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0};
}

std::optional<std::uint32_t> compute_family(std::span<const VkQueueFamilyProperties> families) {
  std::optional<std::uint32_t> with_graphics;
  for (std::uint32_t i = 0; i < families.size(); ++i) {
    const VkQueueFlags flags = families[i].queueFlags;
    if (families[i].queueCount == 0 || (flags & VK_QUEUE_COMPUTE_BIT) == 0) continue;
    if ((flags & VK_QUEUE_GRAPHICS_BIT) == 0) return i;
    if (!with_graphics) with_graphics = i;
  }
  return with_graphics;
}

void check_requirements(const Properties& properties, DeviceInfo& info) {
  const auto need = [&](bool present, std::string name) {
    (present ? info.present : info.missing).push_back(std::move(name));
  };
  need(properties.core.properties.apiVersion >= VK_API_VERSION_1_3, "Vulkan 1.3");
  need(compute_family(properties.queue_families).has_value(), "a queue for compute");
  const auto memory_bytes =
      largest_heap_bytes(properties.memory, type_of(properties.core.properties.deviceType));
  need(memory_bytes >= kMinMemoryBytes,
       base::concat(kMinMemoryBytes >> 20, " MiB of memory",
                    memory_bytes >= kMinMemoryBytes
                        ? ""
                        : base::concat(" (it has ", memory_bytes >> 20, ")")));
  // The other properties of an older version are unknown.
  if (properties.core.properties.apiVersion < VK_API_VERSION_1_3) return;
  const auto operations = properties.v11.subgroupSupportedOperations;
  need(properties.v11.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT,
       "subgroups in compute shaders");
  need(operations & VK_SUBGROUP_FEATURE_SHUFFLE_BIT, "subgroup shuffle");
  need(operations & VK_SUBGROUP_FEATURE_BASIC_BIT, "subgroup basic operations");
  need(properties.features13.synchronization2, "synchronization2");
  need(properties.features13.maintenance4, "maintenance4");
  need(properties.features13.subgroupSizeControl, "subgroup size control");
  need(properties.features13.computeFullSubgroups, "full subgroups in compute shaders");
  const SubgroupSizes sizes = subgroup_sizes(properties);
  // Kernels are specialized for the size, which otherwise may be another in each pipeline.
  need(sizes.choosable || sizes.min == sizes.max, "a fixed subgroup size");
  need(subgroup_size(sizes) >= kMinSubgroupSize,
       base::concat("subgroups of at least ", kMinSubgroupSize, " lanes"));
  const auto traits = buffer_traits(properties);
  const bool binds_enough = traits.storage_buffers >= kMaxStorageBuffers || traits.has_addresses;
  need(binds_enough,
       base::concat(kMaxStorageBuffers, " storage buffers in a kernel",
                    binds_enough ? "" : base::concat(" (it has ", traits.storage_buffers, ")")));
}

}  // namespace awend::vulkan
