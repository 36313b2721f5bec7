// What can be said of a device without using it, and of the loader that finds devices.
// Test: tests/unit/vulkan/survey_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vulkan/functions.hpp"

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
  std::string path;  ///< Of the file that was loaded.
  std::string version;
};

/// Throws Error if there is none.
Loader loader();

}  // namespace awend::vulkan
