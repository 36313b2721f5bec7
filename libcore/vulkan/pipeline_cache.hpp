// The compiled pipelines of a driver, stored between runs, in one file for each device and driver.
//
// Drivers may not check their input: they only get a file that is complete and whose header is of
// this device.  Lavapipe stores its code in Mesa's own cache, and here nothing but a header.  Test:
// tests/kernels/pipeline_cache_test.cpp.
#pragma once

#include <string>
#include <string_view>

#include "vulkan/cache_file.hpp"
#include "vulkan/device.hpp"

namespace awend::vulkan {

/// "pipelines-VENDOR-DEVICE-DRIVER-UUID".
std::string pipeline_cache_name(const VkPhysicalDeviceProperties& device);

/// Whether `data` starts with a header, version one, of this device and driver.
bool is_pipeline_cache_of(const VkPhysicalDeviceProperties& device, std::string_view data);

class PipelineCache {
 public:
  /// Starts with the file for this device in `directory`; in memory only if that is empty.
  explicit PipelineCache(const Device& device, const std::string& directory = cache_directory());

  VkPipelineCache get() const { return cache_.get(); }
  /// Writes new pipelines, merged with those that another process has written meanwhile.  Failures
  /// are not errors, as those of CacheFile.
  void save();

 private:
  DeviceHandle<VkPipelineCache> make(std::string_view data) const;
  std::string valid_data() const;
  void write_new();

  const Device& device_;
  VkPhysicalDeviceProperties properties_;
  CacheFile file_;
  std::string on_disk_;  // the known contents of the file
  DeviceHandle<VkPipelineCache> cache_;
};

}  // namespace awend::vulkan
