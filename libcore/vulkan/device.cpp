#include "vulkan/device.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "vulkan/buffers.hpp"
#include "vulkan/result.hpp"

namespace awend::vulkan {
namespace {

/// Everything that is asked of a physical device, in one chain.
struct Properties {
  VkPhysicalDeviceProperties2 core{};
  VkPhysicalDeviceVulkan11Properties v11{};
  VkPhysicalDeviceVulkan12Properties v12{};
  VkPhysicalDeviceVulkan13Properties v13{};
  VkPhysicalDeviceFeatures2 features{};
  VkPhysicalDeviceVulkan13Features features13{};
  VkPhysicalDeviceVulkan12Features features12{};

  explicit Properties(VkPhysicalDevice device) {
    core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    vkGetPhysicalDeviceProperties2(device, &core);
    if (core.properties.apiVersion < VK_API_VERSION_1_3) return;
    core.pNext = &v11;
    v11 = {};
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
};

std::uint64_t machine_memory_bytes() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), page_bytes = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && page_bytes > 0 ? std::uint64_t(pages) * std::uint64_t(page_bytes) : 0;
}

/// What awend needs, sorted into what `info` has and what it lacks.
void look_at_features(const Properties& properties, DeviceInfo& info) {
  const auto need = [&](bool present, const char* name) {
    (present ? info.present : info.missing).emplace_back(name);
  };
  need(properties.core.properties.apiVersion >= VK_API_VERSION_1_3, "Vulkan 1.3");
  if (!info.missing.empty()) return;
  const auto operations = properties.v11.subgroupSupportedOperations;
  need(properties.v11.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT,
       "subgroups in compute shaders");
  need(operations & VK_SUBGROUP_FEATURE_SHUFFLE_BIT, "subgroup shuffle");
  need(operations & VK_SUBGROUP_FEATURE_BASIC_BIT, "subgroup basic operations");
  need(properties.features13.synchronization2, "synchronization2");
  need(properties.features13.maintenance4, "maintenance4");
  need(properties.features13.subgroupSizeControl, "subgroup size control");
  need(properties.features13.computeFullSubgroups, "full subgroups in compute shaders");
  need(properties.v11.subgroupSize >= 4, "subgroups of at least 4 lanes");
}

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

bool names(const DeviceInfo& device, const std::string& wanted) {
  if (wanted == base::concat(device.index)) return true;
  std::string digits;
  std::copy_if(wanted.begin(), wanted.end(), std::back_inserter(digits),
               [](char c) { return c != '-'; });
  return lower(digits) == device.uuid ||
         lower(device.name).find(lower(wanted)) != std::string::npos;
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

Choice choose_device(const std::vector<DeviceInfo>& devices, const std::string& wanted) {
  if (!wanted.empty()) {
    for (std::size_t i = 0; i < devices.size(); ++i) {
      if (!names(devices[i], wanted)) continue;
      if (devices[i].missing.empty()) return {i, base::concat("named by '", wanted, "'")};
      base::fail("device '", wanted, "' was found but cannot be used: ", listing({devices[i]}));
    }
    base::fail("no device is named '", wanted, "'; there are: ", listing(devices));
  }
  std::size_t best = devices.size();
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (!devices[i].missing.empty()) continue;
    if (best == devices.size() || rank(devices[i].type) > rank(devices[best].type)) best = i;
  }
  if (best == devices.size()) base::fail("no Vulkan device can be used: ", listing(devices));
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
    look_at_features(properties, devices.back());
  }
  return devices;
}

Device::Device(const std::string& wanted, Validation validation)
    : instance_(std::make_unique<Instance>(validation)) {
  const auto devices = list_devices(*instance_);
  const auto choice = choose_device(devices, wanted);
  info_ = devices[choice.position];
  reason_ = choice.reason;
  physical_ = instance_->physical_devices()[choice.position];

  std::uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, families.data());
  const auto compute = std::find_if(families.begin(), families.end(), [](const auto& family) {
    return (family.queueFlags & VK_QUEUE_COMPUTE_BIT) != 0;
  });
  if (compute == families.end()) base::fail(info_.name, ": no queue computes");
  queue_family_ = static_cast<std::uint32_t>(compute - families.begin());

  read_limits();
  limits_.timestamp_period_ns =
      compute->timestampValidBits == 0 ? 0.0 : limits_.timestamp_period_ns;

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
  matrices.add_to(info, features12);
  require(vkCreateDevice(physical_, &info, nullptr, &device_), "vkCreateDevice");
  vkGetDeviceQueue(device_, queue_family_, 0, &queue_);
}

void Device::read_limits() {
  const Properties properties(physical_);
  const auto& core = properties.core.properties.limits;
  constexpr std::uint64_t kLargestSlab = std::uint64_t{1} << 30;
  limits_.storage_range_bytes = core.maxStorageBufferRange;
  limits_.allocation_bytes = std::min(kLargestSlab, properties.v11.maxMemoryAllocationSize);
  limits_.storage_alignment =
      static_cast<std::uint32_t>(std::max<VkDeviceSize>(core.minStorageBufferOffsetAlignment, 16));
  limits_.subgroup_size = properties.v11.subgroupSize;
  limits_.subgroup_size_fixed =
      (properties.v13.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0;
  limits_.workgroup_counts = std::to_array(core.maxComputeWorkGroupCount);
  limits_.workgroup_threads =
      std::min(core.maxComputeWorkGroupInvocations, core.maxComputeWorkGroupSize[0]);
  limits_.shared_bytes = core.maxComputeSharedMemorySize;
  limits_.push_constant_bytes = core.maxPushConstantsSize;
  limits_.texel_range_bytes = std::uint64_t{core.maxTexelBufferElements} * 16 - 256;
  const BufferTraits traits = {.driver = properties.v12.driverID,
                               .driver_info = properties.v12.driverInfo,
                               .has_addresses = properties.features12.bufferDeviceAddress &&
                                                properties.features.features.shaderInt64 &&
                                                core.maxPushConstantsSize >= 256,
                               .validated = instance_->validates()};
  limits_.buffers = wanted_buffers(fastest_buffers(traits), traits);
  limits_.on_cpu = info_.type == VK_PHYSICAL_DEVICE_TYPE_CPU;
  if (matrix_units_wanted(info_.type)) {
    limits_.matrix_shapes = matrix_shapes(instance_->get(), physical_);
  }
  limits_.timestamp_period_ns = core.timestampPeriod;
  limits_.compiles_at_dispatch = properties.v12.driverID == VK_DRIVER_ID_MESA_LLVMPIPE;
  VkPhysicalDeviceMemoryProperties memory{};
  vkGetPhysicalDeviceMemoryProperties(physical_, &memory);
  limits_.heap_bytes = 0;
  for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
    if ((memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0) {
      limits_.heap_bytes = std::max(limits_.heap_bytes, memory.memoryHeaps[i].size);
    }
  }
  // Lavapipe before Mesa 23.1 calls every machine's memory 2 GiB.
  if (info_.type == VK_PHYSICAL_DEVICE_TYPE_CPU)
    limits_.heap_bytes = std::max(limits_.heap_bytes, machine_memory_bytes());
}

void Device::leave_out_matrix_units(MatrixElement element) {
  std::erase_if(limits_.matrix_shapes,
                [&](const MatrixShape& shape) { return shape.element == element; });
}

Device::~Device() {
  if (device_ != VK_NULL_HANDLE) {
    vkDeviceWaitIdle(device_);
    vkDestroyDevice(device_, nullptr);
  }
}

std::string Device::caution() const {
  // The kernel drivers of NVIDIA and AMD; the Vulkan driver is a package of its own.
  for (const char* node : {"/dev/nvidia0", "/dev/kfd"}) {
    if (info_.type == VK_PHYSICAL_DEVICE_TYPE_CPU && std::filesystem::exists(node)) {
      return base::concat("computing on the CPU although ", node,
                          " is there: its Vulkan driver is missing (in a container: "
                          "NVIDIA_DRIVER_CAPABILITIES=all, libxext6, libegl1)");
    }
  }
  return "";
}

std::string Device::description() const {
  return base::concat(info_.name, ", ", type_name(info_.type), ", ", info_.driver, ": ", reason_);
}

}  // namespace awend::vulkan
