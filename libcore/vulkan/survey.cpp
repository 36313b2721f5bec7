#include "vulkan/survey.hpp"

#include <dlfcn.h>

#include "base/concat.hpp"
#include "vulkan/properties.hpp"
#include "vulkan/result.hpp"

namespace awend::vulkan {
namespace {

std::string version_text(std::uint32_t version) {
  return base::concat(VK_API_VERSION_MAJOR(version), ".", VK_API_VERSION_MINOR(version), ".",
                      VK_API_VERSION_PATCH(version));
}

}  // namespace

Survey survey(VkPhysicalDevice device) {
  VkPhysicalDeviceProperties properties{};
  vkGetPhysicalDeviceProperties(device, &properties);
  const bool tells = has_extension(device, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
  VkPhysicalDeviceMemoryBudgetPropertiesEXT budget{};
  budget.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT;
  VkPhysicalDeviceMemoryProperties2 memory{};
  memory.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2;
  if (tells) memory.pNext = &budget;
  vkGetPhysicalDeviceMemoryProperties2(device, &memory);
  Survey found{.version = version_text(properties.apiVersion), .heaps = {}};
  for (std::uint32_t i = 0; i < memory.memoryProperties.memoryHeapCount; ++i) {
    const auto& heap = memory.memoryProperties.memoryHeaps[i];
    auto& told = found.heaps.emplace_back();
    told.size_bytes = heap.size;
    told.device_local = (heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0;
    if (!tells) continue;
    told.used_bytes = budget.heapUsage[i];
    told.budget_bytes = budget.heapBudget[i];
  }
  return found;
}

Loader loader() {
  load_functions();
  Loader found;
  std::uint32_t version = 0;
  require(vkEnumerateInstanceVersion(&version), "vkEnumerateInstanceVersion");
  found.version = version_text(version);
  Dl_info info{};
  const auto call = reinterpret_cast<const void*>(vkEnumerateInstanceVersion);
  if (::dladdr(call, &info) != 0 && info.dli_fname != nullptr) found.path = info.dli_fname;
  return found;
}

}  // namespace awend::vulkan
