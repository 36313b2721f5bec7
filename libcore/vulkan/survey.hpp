// Facts about a device that are available without opening it, and about the loader.
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
  /// The memory that this process uses and may use, if the driver reports them.
  std::optional<std::uint64_t> used_bytes, budget_bytes;
};

struct Survey {
  std::string version;  ///< Of Vulkan: "1.3.230".
  std::vector<Heap> heaps;
};

Survey survey(VkPhysicalDevice device);

struct Loader {
  std::string path;  ///< Of the loaded file.
  std::string version;
};

/// Throws Error if there is no loader.
Loader loader();

}  // namespace awend::vulkan
