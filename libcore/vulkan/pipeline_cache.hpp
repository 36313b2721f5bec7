// The driver's compiled pipelines, kept from run to run: one file a device and driver.
//
// Drivers are not trusted to check what they are given: a file is handed on only if it is whole and
// its header names this device.  Lavapipe keeps its code in Mesa's own cache and puts nothing but a
// header here.  Test: tests/kernels/pipeline_cache_test.cpp.
#pragma once

#include <string>
#include <string_view>

#include "vulkan/cache_file.hpp"
#include "vulkan/device.hpp"

namespace awend::vulkan {

/// "pipelines-VENDOR-DEVICE-DRIVER-UUID".
std::string pipeline_cache_name(const VkPhysicalDeviceProperties& device);

/// True if `data` starts with a header, version one, of this device and driver.
bool is_pipeline_cache_of(const VkPhysicalDeviceProperties& device, std::string_view data);

class PipelineCache {
 public:
  /// Starts with what a file in `folder` holds for this device; in memory only if it is empty.
  explicit PipelineCache(const Device& device, const std::string& folder = cache_folder());

  VkPipelineCache get() const { return cache_.get(); }
  /// Writes what is new, merged with what another process wrote meanwhile.
  void save();

 private:
  DeviceHandle<VkPipelineCache> make(std::string_view data) const;
  std::string valid_data() const;

  const Device& device_;
  VkPhysicalDeviceProperties properties_;
  CacheFile file_;
  std::string on_disk_;  // what the file is known to hold
  DeviceHandle<VkPipelineCache> cache_;
};

}  // namespace awend::vulkan
