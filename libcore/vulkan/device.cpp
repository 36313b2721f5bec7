#include "vulkan/device.hpp"

#include <utility>

#include "base/error.hpp"
#include "vulkan/device_choice.hpp"
#include "vulkan/gpu_files.hpp"
#include "vulkan/matrix_units.hpp"
#include "vulkan/properties.hpp"
#include "vulkan/requirements.hpp"
#include "vulkan/result.hpp"

namespace awend::vulkan {

Device::Found Device::open(const std::string& requested, std::uint32_t turn) {
  if (requested.empty() && !may_have_gpu()) return {};
  std::unique_ptr<Instance> instance;
  std::vector<DeviceInfo> devices;
  try {
    instance = std::make_unique<Instance>();
    devices = list_devices(*instance);
  } catch (const base::Error&) {
    if (requested.empty()) return {nullptr, caution_about_gpu_files()};  // no loader or no driver
    throw;
  }
  const auto choice = choose_device(devices, requested, turn);
  if (choice) {
    try {
      return {std::unique_ptr<Device>(new Device(std::move(instance), devices, *choice)), ""};
    } catch (const base::Error& error) {
      if (!requested.empty()) throw;
      return {nullptr,
              base::concat("computing on the CPU, because ", devices[choice->position].name,
                           " cannot be opened: ", error.what())};
    }
  }
  const auto caution = caution_about_unusable(devices);
  return {nullptr, caution.empty() ? caution_about_gpu_files() : caution};
}

Device::Device(std::uint32_t index, Validation validation)
    : Device(std::make_unique<Instance>(validation), index) {}

Device::Device(std::unique_ptr<Instance> instance, std::uint32_t index)
    : Device(std::move(instance), list_devices(*instance), {index, ""}) {}

Device::Device(std::unique_ptr<Instance>&& instance, const std::vector<DeviceInfo>& devices,
               const Choice& choice)
    : instance_(std::move(instance)), info_(devices.at(choice.position)), reason_(choice.reason) {
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
  return info_.type == DeviceType::kCpu ? caution_about_gpu_files() : "";
}

std::string Device::description() const {
  return base::concat(info_.name, ", ", type_name(info_.type), ", ", info_.driver, ": ", reason_);
}

}  // namespace awend::vulkan
