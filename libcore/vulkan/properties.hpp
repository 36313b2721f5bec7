// Everything that is asked of a physical device, in one chain.
#pragma once

#include "vulkan/functions.hpp"

namespace awend::vulkan {

/// Below Vulkan 1.3 only `core` is asked for.  The structs point at each other: not to be copied.
struct Properties {
  VkPhysicalDeviceProperties2 core{};
  VkPhysicalDeviceVulkan11Properties v11{};
  VkPhysicalDeviceVulkan12Properties v12{};
  VkPhysicalDeviceVulkan13Properties v13{};
  VkPhysicalDeviceFeatures2 features{};
  VkPhysicalDeviceVulkan13Features features13{};
  VkPhysicalDeviceVulkan12Features features12{};

  explicit Properties(VkPhysicalDevice device);
  Properties(const Properties&) = delete;
  Properties& operator=(const Properties&) = delete;
};

}  // namespace awend::vulkan
