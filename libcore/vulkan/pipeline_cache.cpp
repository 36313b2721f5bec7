#include "vulkan/pipeline_cache.hpp"

#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "vulkan/result.hpp"

namespace awend::vulkan {
namespace {

VkPhysicalDeviceProperties properties_of(VkPhysicalDevice device) {
  VkPhysicalDeviceProperties properties{};
  vkGetPhysicalDeviceProperties(device, &properties);
  return properties;
}

}  // namespace

std::string pipeline_cache_name(const VkPhysicalDeviceProperties& device) {
  return base::concat("pipelines-", device.vendorID, "-", device.deviceID, "-",
                      device.driverVersion, "-", hexadecimal(device.pipelineCacheUUID));
}

bool is_pipeline_cache_of(const VkPhysicalDeviceProperties& device, std::string_view data) {
  VkPipelineCacheHeaderVersionOne header{};
  if (data.size() < sizeof header) return false;
  std::memcpy(&header, data.data(), sizeof header);
  return header.headerSize >= sizeof header && header.headerSize <= data.size() &&
         header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
         header.vendorID == device.vendorID && header.deviceID == device.deviceID &&
         std::equal(header.pipelineCacheUUID, header.pipelineCacheUUID + VK_UUID_SIZE,
                    device.pipelineCacheUUID);
}

PipelineCache::PipelineCache(const Device& device, const std::string& directory)
    : device_(device),
      properties_(properties_of(device.physical())),
      file_(directory.empty() ? "" : directory + "/" + pipeline_cache_name(properties_)),
      on_disk_(valid_data()),
      cache_(make(on_disk_)) {}

std::string PipelineCache::valid_data() const {
  auto data = file_.read();
  return data && is_pipeline_cache_of(properties_, *data) ? std::move(*data) : "";
}

DeviceHandle<VkPipelineCache> PipelineCache::make(std::string_view data) const {
  VkPipelineCacheCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
  info.initialDataSize = data.size();
  info.pInitialData = data.data();
  VkPipelineCache cache = VK_NULL_HANDLE;
  require(vkCreatePipelineCache(device_.get(), &info, nullptr, &cache), "vkCreatePipelineCache");
  return {device_.get(), cache, vkDestroyPipelineCache};
}

void PipelineCache::save() {
  if (file_.path().empty()) return;
  try {
    write_new();
  } catch (const base::Error&) {
    // As when the file cannot be written: later runs compile again.
  }
}

void PipelineCache::write_new() {
  const auto data_of = [&](VkPipelineCache cache) {
    std::size_t size_bytes = 0;
    require(vkGetPipelineCacheData(device_.get(), cache, &size_bytes, nullptr),
            "vkGetPipelineCacheData");
    std::string data(size_bytes, '\0');
    require(vkGetPipelineCacheData(device_.get(), cache, &size_bytes, data.data()),
            "vkGetPipelineCacheData");
    data.resize(size_bytes);
    return data;
  };
  std::string data = data_of(get());
  if (data == on_disk_) return;
  // SwiftShader returns other bytes than it was given.
  if (!on_disk_.empty() && data == data_of(make(on_disk_).get())) return;
  const std::string others = valid_data();
  if (!others.empty() && others != on_disk_ && others != data) {
    const auto other = make(others);
    const VkPipelineCache source = other.get();
    require(vkMergePipelineCaches(device_.get(), get(), 1, &source), "vkMergePipelineCaches");
    data = data_of(get());
  }
  if (data != others) file_.write(data);
  on_disk_ = std::move(data);
}

}  // namespace awend::vulkan
