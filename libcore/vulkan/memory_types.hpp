// The choice of memory types.  Test: tests/unit/vulkan/memory_types_test.cpp, with tables of
// drivers.
#pragma once

#include <cstdint>
#include <vector>

#include "vulkan/device_type.hpp"
#include "vulkan/functions.hpp"
#include "vulkan/range.hpp"

namespace awend::vulkan {

struct MemoryRequest {
  MemoryKind kind;
  std::uint32_t allowed_types;  ///< A bit for each type, of VkMemoryRequirements.
  DeviceType device;
};

/// The memory types to try, best first; types with properties that need a feature or serve another
/// purpose, such as protected or lazily allocated memory, are left out.
std::vector<std::uint32_t> memory_types(const VkPhysicalDeviceMemoryProperties& memory,
                                        const MemoryRequest& request);

/// Whether a type is in the memory of the device.
bool is_device_local(const VkPhysicalDeviceMemoryProperties& memory, std::uint32_t type);

}  // namespace awend::vulkan
