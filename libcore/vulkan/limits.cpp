#include "vulkan/limits.hpp"

#include <unistd.h>

#include <algorithm>

#include "vulkan/buffers.hpp"
#include "vulkan/properties.hpp"
#include "vulkan/subgroups.hpp"

namespace awend::vulkan {
namespace {

std::uint64_t machine_memory_bytes() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), page_bytes = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && page_bytes > 0 ? std::uint64_t(pages) * std::uint64_t(page_bytes) : 0;
}

/// The size of the largest device-local heap.
std::uint64_t heap_bytes(VkPhysicalDevice device, VkPhysicalDeviceType type) {
  VkPhysicalDeviceMemoryProperties memory{};
  vkGetPhysicalDeviceMemoryProperties(device, &memory);
  std::uint64_t largest = 0;
  for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
    if ((memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0)
      largest = std::max(largest, memory.memoryHeaps[i].size);
  }
  // Lavapipe before Mesa 23.1 reports 2 GiB on every machine.
  return type == VK_PHYSICAL_DEVICE_TYPE_CPU ? std::max(largest, machine_memory_bytes()) : largest;
}

}  // namespace

Limits limits_of(const Instance& instance, VkPhysicalDevice device) {
  const Properties properties(device);
  Limits limits{};
  const VkPhysicalDeviceType type = properties.core.properties.deviceType;
  const auto& core = properties.core.properties.limits;
  constexpr std::uint64_t kLargestSlab = std::uint64_t{1} << 30;
  limits.storage_range_bytes = core.maxStorageBufferRange;
  limits.allocation_bytes = std::min(kLargestSlab, properties.v11.maxMemoryAllocationSize);
  limits.storage_alignment =
      static_cast<std::uint32_t>(std::max<VkDeviceSize>(core.minStorageBufferOffsetAlignment, 16));
  limits.subgroup_size_fixed =
      (properties.v13.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0;
  limits.subgroup_size = subgroup_size({.usual = properties.v11.subgroupSize,
                                        .least = properties.v13.minSubgroupSize,
                                        .greatest = properties.v13.maxSubgroupSize,
                                        .choosable = limits.subgroup_size_fixed});
  limits.hardware_lanes =
      properties.v13.minSubgroupSize > 0 ? properties.v13.minSubgroupSize : limits.subgroup_size;
  limits.workgroup_counts = std::to_array(core.maxComputeWorkGroupCount);
  limits.workgroup_threads =
      std::min(core.maxComputeWorkGroupInvocations, core.maxComputeWorkGroupSize[0]);
  if (limits.subgroup_size_fixed && properties.v13.maxComputeWorkgroupSubgroups > 0) {
    limits.workgroup_threads =
        std::min(limits.workgroup_threads,
                 limits.subgroup_size * properties.v13.maxComputeWorkgroupSubgroups);
  }
  limits.shared_bytes = core.maxComputeSharedMemorySize;
  limits.push_constant_bytes = core.maxPushConstantsSize;
  limits.texel_range_bytes = std::uint64_t{core.maxTexelBufferElements} * 16 - 256;
  const BufferTraits traits = {.driver = properties.v12.driverID,
                               .driver_info = properties.v12.driverInfo,
                               .has_addresses = properties.features12.bufferDeviceAddress &&
                                                properties.features.features.shaderInt64 &&
                                                core.maxPushConstantsSize >= 256,
                               .validated = instance.validates()};
  limits.buffers = requested_buffers(fastest_buffers(traits), traits);
  limits.on_cpu = type == VK_PHYSICAL_DEVICE_TYPE_CPU;
  if (use_matrix_units(type)) {
    limits.matrix_shapes = matrix_shapes(instance.get(), device);
  }
  limits.timestamp_period_ns = core.timestampPeriod;
  limits.compiles_at_dispatch = properties.v12.driverID == VK_DRIVER_ID_MESA_LLVMPIPE;
  limits.heap_bytes = heap_bytes(device, type);
  return limits;
}

}  // namespace awend::vulkan
