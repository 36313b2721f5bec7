// What can be said of a device without using it, and of the loader that finds devices.
// Test: tests/unit/vulkan/survey_test.cpp.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace awend::vulkan {

struct Heap {
  std::uint64_t size_bytes = 0;
  bool device_local = false;
  /// What the driver says that programs take of it, and that this one may have; not all drivers do.
  std::optional<std::uint64_t> used_bytes, budget_bytes;
};

struct Survey {
  std::string version;  ///< Of Vulkan: "1.3.230".
  std::vector<Heap> heaps;
};

Survey survey(VkPhysicalDevice device);

struct Loader {
  std::string path;  ///< Of libvulkan, which this program is linked with.
  std::string version;
};

Loader loader();

}  // namespace awend::vulkan
