#include "vulkan/device_info.hpp"

#include "base/error.hpp"
#include "vulkan/instance.hpp"
#include "vulkan/properties.hpp"
#include "vulkan/requirements.hpp"

namespace awend::vulkan {

std::string hexadecimal(std::span<const std::uint8_t> bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

std::string type_name(DeviceType type) {
  switch (type) {
    case DeviceType::kDiscreteGpu:
      return "discrete GPU";
    case DeviceType::kIntegratedGpu:
      return "integrated GPU";
    case DeviceType::kVirtualGpu:
      return "virtual GPU";
    case DeviceType::kCpu:
      return "CPU";
    case DeviceType::kOther:
      break;
  }
  return "other device";
}

std::vector<DeviceInfo> list_devices(const Instance& instance) {
  std::vector<DeviceInfo> devices;
  for (VkPhysicalDevice physical : instance.physical_devices()) {
    const Properties properties(physical);
    const auto& core = properties.core.properties;
    devices.push_back(
        {.index = static_cast<std::uint32_t>(devices.size()),
         .name = core.deviceName,
         .driver = base::concat(properties.v12.driverName, " ", properties.v12.driverInfo),
         .uuid = hexadecimal(properties.v11.deviceUUID),
         .type = type_of(core.deviceType),
         .missing = {}});
    check_requirements(properties, devices.back());
  }
  return devices;
}

}  // namespace awend::vulkan
