#include "vulkan/properties.hpp"

#include "vulkan/result.hpp"

namespace awend::vulkan {

Properties::Properties(VkPhysicalDevice device) : extensions(extensions_of(device)) {
  vkGetPhysicalDeviceMemoryProperties(device, &memory);
  std::uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  queue_families.resize(count);
  vkGetPhysicalDeviceQueueFamilyProperties(device, &count, queue_families.data());
  core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  vkGetPhysicalDeviceProperties2(device, &core);
  if (core.properties.apiVersion < VK_API_VERSION_1_3) return;
  core.pNext = &v11;
  v11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES;
  v11.pNext = &v12;
  v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES;
  v12.pNext = &v13;
  v13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES;
  vkGetPhysicalDeviceProperties2(device, &core);
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.pNext = &features13;
  features13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
  features13.pNext = &features12;
  features12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  vkGetPhysicalDeviceFeatures2(device, &features);
}

std::vector<std::string> extensions_of(VkPhysicalDevice device) {
  constexpr const char* kCall = "vkEnumerateDeviceExtensionProperties";
  std::uint32_t count = 0;
  require(vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr), kCall);
  std::vector<VkExtensionProperties> listed(count);
  require(vkEnumerateDeviceExtensionProperties(device, nullptr, &count, listed.data()), kCall);
  std::vector<std::string> names;
  for (const auto& extension : listed) names.emplace_back(extension.extensionName);
  return names;
}

bool has_extension(VkPhysicalDevice device, std::string_view name) {
  const auto names = extensions_of(device);
  return std::ranges::find(names, name) != names.end();
}

std::uint64_t largest_heap_bytes(const VkPhysicalDeviceMemoryProperties& memory, DeviceType type) {
  std::uint64_t largest = 0;
  for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
    const bool local = (memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0;
    if (local || type == DeviceType::kIntegratedGpu)
      largest = std::max(largest, memory.memoryHeaps[i].size);
  }
  return largest;
}

DeviceType type_of(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return DeviceType::kDiscreteGpu;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return DeviceType::kIntegratedGpu;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return DeviceType::kVirtualGpu;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return DeviceType::kCpu;
    default:
      return DeviceType::kOther;
  }
}

}  // namespace awend::vulkan
