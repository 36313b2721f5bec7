#include "vulkan/device.hpp"

#include <filesystem>

#include "base/error.hpp"
#include "vulkan/device_choice.hpp"
#include "vulkan/properties.hpp"
#include "vulkan/requirements.hpp"
#include "vulkan/result.hpp"

namespace awend::vulkan {

Device::Device(const std::string& requested, Validation validation, std::uint32_t turn)
    : instance_(std::make_unique<Instance>(validation)) {
  const auto devices = list_devices(*instance_);
  const auto choice = choose_device(devices, requested, turn);
  info_ = devices[choice.position];
  reason_ = choice.reason;
  physical_ = instance_->physical_devices()[choice.position];

  const Properties properties(physical_);
  queue_family_ = compute_family(properties.queue_families).value();
  limits_ = limits_of(*instance_, physical_);
  // A device that lists this extension, as those of MoltenVK, requires that it is enabled.
  constexpr const char* kPortabilitySubset = "VK_KHR_portability_subset";
  std::vector<const char*> extensions;
  if (properties.has_extension(kPortabilitySubset)) extensions.push_back(kPortabilitySubset);
  create(std::move(extensions));
}

void Device::create(std::vector<const char*> extensions) {
  const float priority = 1.0f;
  const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                         .pNext = nullptr,
                                         .flags = 0,
                                         .queueFamilyIndex = queue_family_,
                                         .queueCount = 1,
                                         .pQueuePriorities = &priority};
  VkPhysicalDeviceVulkan13Features features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
  features.synchronization2 = VK_TRUE;
  features.subgroupSizeControl = VK_TRUE;
  features.computeFullSubgroups = VK_TRUE;
  features.maintenance4 = VK_TRUE;
  VkPhysicalDeviceVulkan12Features features12{};
  features12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  features.pNext = &features12;
  VkPhysicalDeviceFeatures wide{};
  wide.shaderInt64 = VK_TRUE;
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = &features;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  if (limits_.buffers == shaders::Buffers::kAddress) {
    features12.bufferDeviceAddress = VK_TRUE;
    info.pEnabledFeatures = &wide;
  }
  MatrixFeatures matrices(limits_.matrix_shapes);
  matrices.add_to(info, features12, extensions);
  info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  vulkan::require(vkCreateDevice(physical_, &info, nullptr, &device_), "vkCreateDevice");
  vkGetDeviceQueue(device_, queue_family_, 0, &queue_);
}

void Device::disable_matrix_units(MatrixElement element) {
  std::erase_if(limits_.matrix_shapes,
                [&](const MatrixShape& shape) { return shape.element == element; });
}

void Device::require(VkResult result, std::string_view call) const {
  if (result == VK_ERROR_DEVICE_LOST) throw base::Error(lost_device(info_.name, call));
  vulkan::require(result, call);
}

Device::~Device() {
  if (device_ != VK_NULL_HANDLE) {
    vkDeviceWaitIdle(device_);
    vkDestroyDevice(device_, nullptr);
  }
}

std::string Device::caution() const {
  // Device files of the kernel drivers of NVIDIA and AMD; the Vulkan driver is a separate package.
  for (const char* node : {"/dev/nvidia0", "/dev/kfd"}) {
    if (info_.type == VK_PHYSICAL_DEVICE_TYPE_CPU && std::filesystem::exists(node)) {
      return base::concat("computing on the CPU although ", node,
                          " exists: its Vulkan driver is missing (in a container: "
                          "NVIDIA_DRIVER_CAPABILITIES=all, libxext6, libegl1)");
    }
  }
  return "";
}

std::string Device::description() const {
  return base::concat(info_.name, ", ", type_name(info_.type), ", ", info_.driver, ": ", reason_);
}

}  // namespace awend::vulkan
