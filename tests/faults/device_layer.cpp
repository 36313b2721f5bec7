// A Vulkan layer, VK_LAYER_AWEND_faults, that makes a device look or fail as other devices do.
//
//   AWEND_LAYER_VERSION=1.1        the version of Vulkan that the device supports
//   AWEND_LAYER_NO_COMPUTE=1       no queue supports compute
//   AWEND_LAYER_NO_DEVICE=1        it cannot be opened
//   AWEND_LAYER_MEMORY_MIB=N       the size of its memory
//   AWEND_LAYER_STORAGE_BUFFERS=N  storage buffers of a kernel
//   AWEND_LAYER_GPU=1              a discrete GPU, whose memory the host cannot access
//   AWEND_LAYER_LOCAL_MIB=N        with it: allocations on the device fail after N MiB
//   AWEND_LAYER_LOST_AT=N          from submission N on, from 1, the device is lost
//   AWEND_LAYER_COUNT=FILE         a file that gets one byte for each submission
#include <fcntl.h>
#include <unistd.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace {

long number(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? 0 : std::atol(value);
}

bool is_gpu() {
  return number("AWEND_LAYER_GPU") != 0;
}

using Function = PFN_vkVoidFunction;

/// The functions of what is after this layer, by the dispatch table that a handle begins with. They
/// must be looked up when instance or device are created.
class NextLayers {
 public:
  template <class Handle, class GetAddress>
  void add(Handle handle, GetAddress address, const std::vector<std::string>& names) {
    const std::lock_guard lock(mutex_);
    auto& functions = functions_[table_of(handle)];
    for (const auto& name : names) functions[name] = address(handle, name.c_str());
  }
  Function find(void* handle, const std::string& name) {
    const std::lock_guard lock(mutex_);
    return functions_.at(table_of(handle)).at(name);
  }

 private:
  static void* table_of(void* handle) { return *static_cast<void**>(handle); }

  std::mutex mutex_;
  std::map<void*, std::map<std::string, Function>> functions_;
};

NextLayers& next_layers() {
  // Never destroyed, because programs destroy devices when they exit.
  static NextLayers* const all = new NextLayers;
  return *all;
}

/// The function after that of this layer; `handle` is an instance or device, or belongs to one.
template <class Type>
Type next_of(void* handle, const char* name) {
  return reinterpret_cast<Type>(next_layers().find(handle, name));
}

/// The loader puts the next layer's functions into a chain of structs.
template <class Link, class Info>
Link* link_of(const Info* info, VkStructureType type) {
  auto* link = static_cast<const Link*>(info->pNext);
  while (link != nullptr && !(link->sType == type && link->function == VK_LAYER_LINK_INFO))
    link = static_cast<const Link*>(link->pNext);
  return const_cast<Link*>(link);
}

VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info,
                                               const VkAllocationCallbacks* allocator,
                                               VkInstance* instance) {
  auto* link =
      link_of<VkLayerInstanceCreateInfo>(info, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
  const auto next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const auto create = reinterpret_cast<PFN_vkCreateInstance>(next(nullptr, "vkCreateInstance"));
  const VkResult result = create(info, allocator, instance);
  if (result != VK_SUCCESS) return result;
  next_layers().add(
      *instance, next,
      {"vkGetInstanceProcAddr", "vkCreateDevice", "vkGetPhysicalDeviceProperties",
       "vkGetPhysicalDeviceProperties2", "vkGetPhysicalDeviceQueueFamilyProperties",
       "vkGetPhysicalDeviceMemoryProperties", "vkGetPhysicalDeviceMemoryProperties2"});
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                             const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* allocator,
                                             VkDevice* device) {
  if (number("AWEND_LAYER_NO_DEVICE") != 0) return VK_ERROR_INITIALIZATION_FAILED;
  auto* link = link_of<VkLayerDeviceCreateInfo>(info, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
  const auto next = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const VkResult result =
      next_of<PFN_vkCreateDevice>(physical, "vkCreateDevice")(physical, info, allocator, device);
  if (result != VK_SUCCESS) return result;
  next_layers().add(*device, next,
                    {"vkGetDeviceProcAddr", "vkGetBufferMemoryRequirements", "vkAllocateMemory",
                     "vkQueueSubmit", "vkWaitForFences", "vkDeviceWaitIdle"});
  return result;
}

void change(VkPhysicalDeviceProperties& properties) {
  if (const char* version = std::getenv("AWEND_LAYER_VERSION"); version != nullptr) {
    properties.apiVersion =
        VK_MAKE_API_VERSION(0, std::atoi(version), std::atoi(std::strchr(version, '.') + 1), 0);
  }
  if (const long count = number("AWEND_LAYER_STORAGE_BUFFERS"); count > 0)
    properties.limits.maxPerStageDescriptorStorageBuffers = static_cast<std::uint32_t>(count);
  if (is_gpu()) properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
}

VKAPI_ATTR void VKAPI_CALL properties(VkPhysicalDevice device,
                                      VkPhysicalDeviceProperties* properties) {
  next_of<PFN_vkGetPhysicalDeviceProperties>(device, "vkGetPhysicalDeviceProperties")(device,
                                                                                      properties);
  change(*properties);
}

VKAPI_ATTR void VKAPI_CALL properties2(VkPhysicalDevice device,
                                       VkPhysicalDeviceProperties2* properties) {
  next_of<PFN_vkGetPhysicalDeviceProperties2>(device, "vkGetPhysicalDeviceProperties2")(device,
                                                                                        properties);
  change(properties->properties);
}

VKAPI_ATTR void VKAPI_CALL queue_families(VkPhysicalDevice device, std::uint32_t* count,
                                          VkQueueFamilyProperties* families) {
  next_of<PFN_vkGetPhysicalDeviceQueueFamilyProperties>(
      device, "vkGetPhysicalDeviceQueueFamilyProperties")(device, count, families);
  if (families == nullptr || number("AWEND_LAYER_NO_COMPUTE") == 0) return;
  for (std::uint32_t i = 0; i < *count; ++i)
    families[i].queueFlags &= ~static_cast<VkQueueFlags>(VK_QUEUE_COMPUTE_BIT);
}

/// The GPU has type 0, its own memory, and type 1, of the machine; lavapipe has only type 0.
void change(VkPhysicalDeviceMemoryProperties& memory) {
  if (const long size = number("AWEND_LAYER_MEMORY_MIB"); size > 0)
    memory.memoryHeaps[0].size = static_cast<VkDeviceSize>(size) << 20;
  if (!is_gpu()) return;
  memory.memoryHeapCount = 2;
  memory.memoryHeaps[1] = {memory.memoryHeaps[0].size, 0};
  memory.memoryTypeCount = 2;
  memory.memoryTypes[0] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0};
  memory.memoryTypes[1] = {
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, 1};
}

VKAPI_ATTR void VKAPI_CALL memory(VkPhysicalDevice device,
                                  VkPhysicalDeviceMemoryProperties* memory) {
  next_of<PFN_vkGetPhysicalDeviceMemoryProperties>(device, "vkGetPhysicalDeviceMemoryProperties")(
      device, memory);
  change(*memory);
}

VKAPI_ATTR void VKAPI_CALL memory2(VkPhysicalDevice device,
                                   VkPhysicalDeviceMemoryProperties2* memory) {
  next_of<PFN_vkGetPhysicalDeviceMemoryProperties2>(device, "vkGetPhysicalDeviceMemoryProperties2")(
      device, memory);
  change(memory->memoryProperties);
}

VKAPI_ATTR void VKAPI_CALL requirements(VkDevice device, VkBuffer buffer,
                                        VkMemoryRequirements* requirements) {
  next_of<PFN_vkGetBufferMemoryRequirements>(device, "vkGetBufferMemoryRequirements")(
      device, buffer, requirements);
  if (is_gpu()) requirements->memoryTypeBits = 3;
}

VKAPI_ATTR VkResult VKAPI_CALL allocate(VkDevice device, const VkMemoryAllocateInfo* info,
                                        const VkAllocationCallbacks* allocator,
                                        VkDeviceMemory* memory) {
  static std::atomic<std::uint64_t> local_bytes = 0;
  VkMemoryAllocateInfo own = *info;
  if (is_gpu() && info->memoryTypeIndex == 0) {
    const auto max_bytes = static_cast<std::uint64_t>(number("AWEND_LAYER_LOCAL_MIB")) << 20;
    if (max_bytes > 0 && (local_bytes += info->allocationSize) > max_bytes)
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  }
  if (is_gpu()) own.memoryTypeIndex = 0;
  return next_of<PFN_vkAllocateMemory>(device, "vkAllocateMemory")(device, &own, allocator, memory);
}

std::atomic<bool>& lost() {
  static std::atomic<bool> is_lost = false;
  return is_lost;
}

// Only the program's own thread counts: the devices of the threads that help to compile kernels
// make submissions too, and how many depends on the speed of the machine.
VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, std::uint32_t count, const VkSubmitInfo* infos,
                                      VkFence fence) {
  static std::atomic<long> submissions = 0;
  if (::gettid() == ::getpid()) {
    if (const char* file = std::getenv("AWEND_LAYER_COUNT"); file != nullptr) {
      const int open_file = ::open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
      [[maybe_unused]] const auto written = ::write(open_file, "x", 1);
      ::close(open_file);
    }
    const long at = number("AWEND_LAYER_LOST_AT");
    if (at > 0 && ++submissions >= at) lost() = true;
  }
  if (lost()) return VK_ERROR_DEVICE_LOST;
  return next_of<PFN_vkQueueSubmit>(queue, "vkQueueSubmit")(queue, count, infos, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL wait(VkDevice device, std::uint32_t count, const VkFence* fences,
                                    VkBool32 all, std::uint64_t nanoseconds) {
  if (lost()) return VK_ERROR_DEVICE_LOST;
  return next_of<PFN_vkWaitForFences>(device, "vkWaitForFences")(device, count, fences, all,
                                                                 nanoseconds);
}

VKAPI_ATTR VkResult VKAPI_CALL wait_idle(VkDevice device) {
  const auto result = next_of<PFN_vkDeviceWaitIdle>(device, "vkDeviceWaitIdle")(device);
  return lost() ? VK_ERROR_DEVICE_LOST : result;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_address(VkInstance instance, const char* name);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_address(VkDevice device, const char* name);

template <class Type>
Function untyped(Type* function) {
  return reinterpret_cast<Function>(function);
}

Function own_function(const std::string& name) {
  static const std::map<std::string, Function> functions = {
      {"vkGetInstanceProcAddr", untyped(instance_address)},
      {"vkGetDeviceProcAddr", untyped(device_address)},
      {"vkCreateInstance", untyped(create_instance)},
      {"vkCreateDevice", untyped(create_device)},
      {"vkGetPhysicalDeviceProperties", untyped(properties)},
      {"vkGetPhysicalDeviceProperties2", untyped(properties2)},
      {"vkGetPhysicalDeviceQueueFamilyProperties", untyped(queue_families)},
      {"vkGetPhysicalDeviceMemoryProperties", untyped(memory)},
      {"vkGetPhysicalDeviceMemoryProperties2", untyped(memory2)},
      {"vkGetBufferMemoryRequirements", untyped(requirements)},
      {"vkAllocateMemory", untyped(allocate)},
      {"vkQueueSubmit", untyped(submit)},
      {"vkWaitForFences", untyped(wait)},
      {"vkDeviceWaitIdle", untyped(wait_idle)}};
  const auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_address(VkInstance instance, const char* name) {
  if (const auto own = own_function(name); own != nullptr) return own;
  if (instance == nullptr) return nullptr;
  return next_of<PFN_vkGetInstanceProcAddr>(instance, "vkGetInstanceProcAddr")(instance, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_address(VkDevice device, const char* name) {
  if (const auto own = own_function(name); own != nullptr) return own;
  return next_of<PFN_vkGetDeviceProcAddr>(device, "vkGetDeviceProcAddr")(device, name);
}

}  // namespace

// The loader looks it up by name.
extern "C" __attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* interface) {
  interface->loaderLayerInterfaceVersion = std::min(interface->loaderLayerInterfaceVersion, 2u);
  interface->pfnGetInstanceProcAddr = instance_address;
  interface->pfnGetDeviceProcAddr = device_address;
  interface->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}
