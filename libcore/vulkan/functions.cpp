#include "vulkan/functions.hpp"

#include <dlfcn.h>

#include "base/error.hpp"

namespace awend::vulkan {
namespace {

void* open_loader() {
  try {
    return open_library(kLoaderLibrary);
  } catch (const base::Error& error) {
    base::fail("Vulkan's loader cannot be loaded: ", error.what(),
               "; install it with 'apt-get install libvulkan1'");
  }
}

class Loader {
 public:
  Loader() : library_(open_loader()) {}

  template <class Function>
  void find(Function& function, const char* name) const {
    function = reinterpret_cast<Function>(::dlsym(library_, name));
    if (function == nullptr) {
      base::fail("Vulkan's loader (", kLoaderLibrary, ") has no ", name,
                 ": it is older than Vulkan 1.3; install a newer libvulkan1");
    }
  }

 private:
  void* library_;
};

void find_instances(const Loader& loader) {
  loader.find(vkCreateInstance, "vkCreateInstance");
  loader.find(vkDestroyInstance, "vkDestroyInstance");
  loader.find(vkEnumerateInstanceExtensionProperties, "vkEnumerateInstanceExtensionProperties");
  loader.find(vkEnumerateInstanceLayerProperties, "vkEnumerateInstanceLayerProperties");
  loader.find(vkEnumerateInstanceVersion, "vkEnumerateInstanceVersion");
  loader.find(vkEnumeratePhysicalDevices, "vkEnumeratePhysicalDevices");
  loader.find(vkGetInstanceProcAddr, "vkGetInstanceProcAddr");
}

void find_devices(const Loader& loader) {
  loader.find(vkCreateDevice, "vkCreateDevice");
  loader.find(vkDestroyDevice, "vkDestroyDevice");
  loader.find(vkDeviceWaitIdle, "vkDeviceWaitIdle");
  loader.find(vkEnumerateDeviceExtensionProperties, "vkEnumerateDeviceExtensionProperties");
  loader.find(vkGetDeviceQueue, "vkGetDeviceQueue");
  loader.find(vkGetPhysicalDeviceFeatures2, "vkGetPhysicalDeviceFeatures2");
  loader.find(vkGetPhysicalDeviceMemoryProperties, "vkGetPhysicalDeviceMemoryProperties");
  loader.find(vkGetPhysicalDeviceMemoryProperties2, "vkGetPhysicalDeviceMemoryProperties2");
  loader.find(vkGetPhysicalDeviceProperties, "vkGetPhysicalDeviceProperties");
  loader.find(vkGetPhysicalDeviceProperties2, "vkGetPhysicalDeviceProperties2");
  loader.find(vkGetPhysicalDeviceQueueFamilyProperties, "vkGetPhysicalDeviceQueueFamilyProperties");
}

void find_memory(const Loader& loader) {
  loader.find(vkAllocateMemory, "vkAllocateMemory");
  loader.find(vkBindBufferMemory, "vkBindBufferMemory");
  loader.find(vkCreateBuffer, "vkCreateBuffer");
  loader.find(vkDestroyBuffer, "vkDestroyBuffer");
  loader.find(vkFreeMemory, "vkFreeMemory");
  loader.find(vkGetBufferDeviceAddress, "vkGetBufferDeviceAddress");
  loader.find(vkGetBufferMemoryRequirements, "vkGetBufferMemoryRequirements");
  loader.find(vkMapMemory, "vkMapMemory");
}

void find_kernels(const Loader& loader) {
  loader.find(vkCreateComputePipelines, "vkCreateComputePipelines");
  loader.find(vkCreateDescriptorSetLayout, "vkCreateDescriptorSetLayout");
  loader.find(vkCreatePipelineCache, "vkCreatePipelineCache");
  loader.find(vkCreatePipelineLayout, "vkCreatePipelineLayout");
  loader.find(vkCreateShaderModule, "vkCreateShaderModule");
  loader.find(vkDestroyDescriptorSetLayout, "vkDestroyDescriptorSetLayout");
  loader.find(vkDestroyPipeline, "vkDestroyPipeline");
  loader.find(vkDestroyPipelineCache, "vkDestroyPipelineCache");
  loader.find(vkDestroyPipelineLayout, "vkDestroyPipelineLayout");
  loader.find(vkDestroyShaderModule, "vkDestroyShaderModule");
  loader.find(vkGetPipelineCacheData, "vkGetPipelineCacheData");
  loader.find(vkMergePipelineCaches, "vkMergePipelineCaches");
}

void find_recordings(const Loader& loader) {
  loader.find(vkAllocateCommandBuffers, "vkAllocateCommandBuffers");
  loader.find(vkAllocateDescriptorSets, "vkAllocateDescriptorSets");
  loader.find(vkBeginCommandBuffer, "vkBeginCommandBuffer");
  loader.find(vkCmdBindDescriptorSets, "vkCmdBindDescriptorSets");
  loader.find(vkCmdBindPipeline, "vkCmdBindPipeline");
  loader.find(vkCmdCopyBuffer, "vkCmdCopyBuffer");
  loader.find(vkCmdDispatch, "vkCmdDispatch");
  loader.find(vkCmdDispatchIndirect, "vkCmdDispatchIndirect");
  loader.find(vkCmdFillBuffer, "vkCmdFillBuffer");
  loader.find(vkCmdPipelineBarrier2, "vkCmdPipelineBarrier2");
  loader.find(vkCmdPushConstants, "vkCmdPushConstants");
  loader.find(vkCmdResetQueryPool, "vkCmdResetQueryPool");
  loader.find(vkCmdWriteTimestamp2, "vkCmdWriteTimestamp2");
  loader.find(vkCreateCommandPool, "vkCreateCommandPool");
  loader.find(vkCreateDescriptorPool, "vkCreateDescriptorPool");
  loader.find(vkCreateFence, "vkCreateFence");
  loader.find(vkCreateQueryPool, "vkCreateQueryPool");
  loader.find(vkDestroyCommandPool, "vkDestroyCommandPool");
  loader.find(vkDestroyDescriptorPool, "vkDestroyDescriptorPool");
  loader.find(vkDestroyFence, "vkDestroyFence");
  loader.find(vkDestroyQueryPool, "vkDestroyQueryPool");
  loader.find(vkEndCommandBuffer, "vkEndCommandBuffer");
  loader.find(vkGetQueryPoolResults, "vkGetQueryPoolResults");
  loader.find(vkQueueSubmit, "vkQueueSubmit");
  loader.find(vkResetFences, "vkResetFences");
  loader.find(vkUpdateDescriptorSets, "vkUpdateDescriptorSets");
  loader.find(vkWaitForFences, "vkWaitForFences");
}

bool find_all() {
  const Loader loader;
  find_instances(loader);
  find_devices(loader);
  find_memory(loader);
  find_kernels(loader);
  find_recordings(loader);
  return true;
}

}  // namespace

void* open_library(const std::string& name) {
  // RTLD_LOCAL: functions of the same names in a driver do not replace those of the loader.
  void* library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) return library;
  const char* reason = ::dlerror();
  base::fail(reason == nullptr ? name + ": cannot be loaded" : reason);
}

void load_functions() {
  // Other threads wait for this initialization; if it throws, the next call tries again.
  static const bool found = find_all();
  static_cast<void>(found);
}

}  // namespace awend::vulkan
