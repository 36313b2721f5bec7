#include "vulkan/result.hpp"

#include "base/error.hpp"
#include "vulkan/limits.hpp"

namespace awend::vulkan {
namespace {

std::string_view name_of(VkResult result) {
  switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
      return "out of host memory";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
      return "out of device memory";
    case VK_ERROR_INITIALIZATION_FAILED:
      return "initialization failed";
    case VK_ERROR_DEVICE_LOST:
      return "device lost";
    case VK_ERROR_MEMORY_MAP_FAILED:
      return "memory could not be mapped";
    case VK_ERROR_LAYER_NOT_PRESENT:
      return "a layer is not present";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
      return "an extension is not present";
    case VK_ERROR_FEATURE_NOT_PRESENT:
      return "a feature is not present";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
      return "incompatible driver";
    case VK_ERROR_TOO_MANY_OBJECTS:
      return "too many objects";
    case VK_ERROR_OUT_OF_POOL_MEMORY:
      return "out of pool memory";
    case VK_TIMEOUT:
      return "timed out";
    default:
      return "unexpected result";
  }
}

base::Message advice_for(VkResult result) {
  switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
      return base::Message("; reduce ", kBatchSize);
    default:
      return base::Message();
  }
}

}  // namespace

void require(VkResult result, std::string_view call) {
  if (result == VK_SUCCESS) return;
  if (result == VK_ERROR_DEVICE_LOST) throw base::Error(lost_device("the device", call));
  base::fail(call, ": ", name_of(result), " (VkResult ", static_cast<int>(result), ")",
             advice_for(result));
}

std::string lost_device(std::string_view name, std::string_view call) {
  return base::concat(name, " was lost (", call, ", VkResult ",
                      static_cast<int>(VK_ERROR_DEVICE_LOST),
                      "): its driver reset it, after a fault, a hang or a watchdog's time limit "
                      "(see the kernel's log); run the same command again to resume from what was "
                      "saved");
}

}  // namespace awend::vulkan
