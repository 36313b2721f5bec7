#include "vulkan/limits.hpp"

#include <algorithm>

#include "base/machine.hpp"
#include "vulkan/buffers.hpp"
#include "vulkan/device_info.hpp"
#include "vulkan/instance.hpp"
#include "vulkan/matrix_units.hpp"
#include "vulkan/properties.hpp"
#include "vulkan/requirements.hpp"
#include "vulkan/subgroups.hpp"

namespace awend::vulkan {
namespace {

std::uint64_t heap_bytes(const Properties& properties) {
  const DeviceType type = type_of(properties.core.properties.deviceType);
  const std::uint64_t largest = largest_heap_bytes(properties.memory, type);
  // Lavapipe before Mesa 23.1 reports 2 GiB on every machine.
  return type == DeviceType::kCpu ? std::max(largest, base::usable_memory_bytes()) : largest;
}

}  // namespace

Limits limits_of(const Instance& instance, VkPhysicalDevice device) {
  const Properties properties(device);
  Limits limits{};
  const DeviceType type = type_of(properties.core.properties.deviceType);
  const auto& core = properties.core.properties.limits;
  constexpr std::uint64_t kLargestSlab = std::uint64_t{1} << 30;
  limits.storage_range_bytes = core.maxStorageBufferRange;
  limits.allocation_bytes = std::min(kLargestSlab, properties.v11.maxMemoryAllocationSize);
  limits.storage_alignment =
      static_cast<std::uint32_t>(std::max<VkDeviceSize>(core.minStorageBufferOffsetAlignment, 16));
  const SubgroupSizes sizes = subgroup_sizes(properties);
  limits.subgroup_size_fixed = sizes.choosable;
  limits.subgroup_size = subgroup_size(sizes);
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
  BufferTraits traits = buffer_traits(properties);
  traits.validated = instance.validates();
  limits.buffers = requested_buffers(fastest_buffers(traits), traits);
  limits.on_cpu = type == DeviceType::kCpu;
  limits.storage_buffers = storage_buffers(core);
  // The kernels for matrix units access memory by storage buffers only.
  if (use_matrix_units(type) && limits.storage_buffers >= kMaxStorageBuffers) {
    limits.matrix_shapes = matrix_shapes(instance.get(), device);
  }
  const auto family = compute_family(properties.queue_families);
  limits.timestamp_bits = family ? properties.queue_families[*family].timestampValidBits : 0;
  limits.timestamp_period_ns = limits.timestamp_bits > 0 ? core.timestampPeriod : 0;
  limits.compiles_at_dispatch = properties.v12.driverID == VK_DRIVER_ID_MESA_LLVMPIPE;
  limits.heap_bytes = heap_bytes(properties);
  return limits;
}

}  // namespace awend::vulkan
