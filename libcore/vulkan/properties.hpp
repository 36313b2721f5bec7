// All properties and features of a physical device, in one query.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "vulkan/device_type.hpp"
#include "vulkan/functions.hpp"

namespace awend::vulkan {

/// Before Vulkan 1.3, the structs v11 to features12 are zero.  Not copyable, because the structs
/// point at each other.
struct Properties {
  VkPhysicalDeviceProperties2 core{};
  VkPhysicalDeviceVulkan11Properties v11{};
  VkPhysicalDeviceVulkan12Properties v12{};
  VkPhysicalDeviceVulkan13Properties v13{};
  VkPhysicalDeviceFeatures2 features{};
  VkPhysicalDeviceVulkan13Features features13{};
  VkPhysicalDeviceVulkan12Features features12{};
  VkPhysicalDeviceMemoryProperties memory{};
  std::vector<VkQueueFamilyProperties> queue_families;
  std::vector<std::string> extensions;

  /// A device without anything, which tests fill in.
  Properties() = default;
  explicit Properties(VkPhysicalDevice device);
  Properties(const Properties&) = delete;
  Properties& operator=(const Properties&) = delete;

  bool has_extension(std::string_view name) const {
    return std::ranges::find(extensions, name) != extensions.end();
  }
};

DeviceType type_of(VkPhysicalDeviceType type);

/// The names of the extensions of a device.
std::vector<std::string> extensions_of(VkPhysicalDevice device);

bool has_extension(VkPhysicalDevice device, std::string_view name);

/// The size of the largest device-local heap.  All heaps of an integrated GPU are memory of the
/// machine, and the device-local one may be a small part of it, so that all count.
std::uint64_t largest_heap_bytes(const VkPhysicalDeviceMemoryProperties& memory, DeviceType type);

}  // namespace awend::vulkan
