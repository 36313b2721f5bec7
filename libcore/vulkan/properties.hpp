// All properties and features of a physical device, in one query.
#pragma once

#include "vulkan/functions.hpp"

namespace awend::vulkan {

/// Before Vulkan 1.3, only `core` is set.  Not copyable, because the structs point at each other.
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
