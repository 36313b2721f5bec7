#include "vulkan/device_info.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "vulkan/properties.hpp"
#include "vulkan/requirements.hpp"

namespace awend::vulkan {
namespace {

constexpr const char* kUpdateDriver = "; update its driver, or use another device";

int rank(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return 4;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return 3;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return 1;
    default:
      return 0;
  }
}

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

std::string listing(const std::vector<DeviceInfo>& devices) {
  std::string text;
  for (const auto& device : devices) {
    text += base::concat(text.empty() ? "" : "; ", device.index, " ", device.name);
    for (std::size_t i = 0; i < device.missing.size(); ++i) {
      text += base::concat(i == 0 ? " (lacks " : ", ", device.missing[i]);
    }
    if (!device.missing.empty()) text += ")";
  }
  return text;
}

bool names(const DeviceInfo& device, const std::string& requested) {
  if (requested == base::concat(device.index)) return true;
  std::string digits;
  std::copy_if(requested.begin(), requested.end(), std::back_inserter(digits),
               [](char c) { return c != '-'; });
  return lower(digits) == device.uuid ||
         lower(device.name).find(lower(requested)) != std::string::npos;
}

}  // namespace

std::string hexadecimal(std::span<const std::uint8_t> bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

std::string type_name(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return "discrete GPU";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return "integrated GPU";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return "virtual GPU";
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return "CPU";
    default:
      return "other device";
  }
}

Choice choose_device(const std::vector<DeviceInfo>& devices, const std::string& requested,
                     std::uint32_t turn) {
  if (!requested.empty()) {
    for (std::size_t i = 0; i < devices.size(); ++i) {
      if (!names(devices[i], requested)) continue;
      if (devices[i].missing.empty()) return {i, base::concat("named by '", requested, "'")};
      base::fail("device '", requested, "' was found but cannot be used: ", listing({devices[i]}),
                 kUpdateDriver);
    }
    base::fail("no device is named '", requested, "'; there are: ", listing(devices));
  }
  std::size_t best = devices.size();
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (!devices[i].missing.empty()) continue;
    if (best == devices.size() || rank(devices[i].type) > rank(devices[best].type)) best = i;
  }
  if (best == devices.size()) {
    base::fail("no Vulkan device can be used: ", listing(devices), kUpdateDriver,
               " (lavapipe of mesa-vulkan-drivers runs on any CPU)");
  }
  std::vector<std::size_t> alike;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (devices[i].missing.empty() && devices[i].type == devices[best].type) alike.push_back(i);
  }
  if (const std::size_t own = turn % alike.size(); own > 0) {
    return {alike[own],
            base::concat(type_name(devices[best].type), " ", own + 1, " of ", alike.size())};
  }
  return {best, devices.size() == 1 ? "the only device"
                                    : base::concat("the first ", type_name(devices[best].type),
                                                   " of ", devices.size(), " devices")};
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
         .type = core.deviceType,
         .missing = {}});
    check_requirements(properties, devices.back());
  }
  return devices;
}

}  // namespace awend::vulkan
