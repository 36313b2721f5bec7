// What a device must have to run awend.  Test: tests/unit/vulkan/requirements_test.cpp, and with
// programs tests/faults/devices.sh.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "vulkan/buffers.hpp"
#include "vulkan/device_info.hpp"
#include "vulkan/properties.hpp"
#include "vulkan/subgroups.hpp"

namespace awend::vulkan {

/// Less memory does not hold the smallest model and its kernels.
inline constexpr std::uint64_t kMinMemoryBytes = std::uint64_t{64} << 20;

/// Storage buffers that one kernel can bind.
std::uint32_t storage_buffers(const VkPhysicalDeviceLimits& limits);

/// The properties that determine how kernels access memory.
BufferTraits buffer_traits(const Properties& properties);

/// The sizes of subgroups in kernels.
SubgroupSizes subgroup_sizes(const Properties& properties);

/// The queue family for kernels: the first with compute and without graphics, because other
/// programs draw on queues with graphics; otherwise the first with compute, if there is one.
std::optional<std::uint32_t> compute_family(std::span<const VkQueueFamilyProperties> families);

/// Adds the names of the required features to those that `info` has or lacks.
void check_requirements(const Properties& properties, DeviceInfo& info);

}  // namespace awend::vulkan
