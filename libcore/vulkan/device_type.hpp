// Types of devices, without the declarations of Vulkan.
#pragma once

#include <string>

namespace awend::vulkan {

enum class DeviceType { kDiscreteGpu, kIntegratedGpu, kVirtualGpu, kCpu, kOther };

/// "discrete GPU", "integrated GPU", "virtual GPU", "CPU" or "other device".
std::string type_name(DeviceType type);

}  // namespace awend::vulkan
