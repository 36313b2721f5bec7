// Vulkan functions, loaded at run time: no program links libvulkan, so that a program without it
// can report what is missing, and do everything that needs no device.
//
// The only file that includes <vulkan/vulkan.h>.  VK_NO_PROTOTYPES (CMakeLists.txt) removes the
// declarations of the functions, and the pointers below have their names.  They are the exports of
// the loader, which work for all instances and devices; pointers from vkGetInstanceProcAddr would
// work for one instance only.  Functions of extensions are not exported: use vkGetInstanceProcAddr.
// Test: tests/unit/vulkan/functions_test.cpp, tests/cli/no_loader.sh.
#pragma once

#include <vulkan/vulkan.h>

#include <string>

namespace awend::vulkan {

/// The file name of the loader, except on Windows and macOS.
inline constexpr const char* kLoaderLibrary = "libvulkan.so.1";

/// Loads a shared library, which stays loaded until the process ends.  Throws Error with the reason
/// if that fails.
void* open_library(const std::string& name);

/// Sets the function pointers below, once; the first Instance calls it.  Thread-safe.
/// Throws Error if there is no loader or it lacks a function, naming what to install.
void load_functions();

inline PFN_vkCreateInstance vkCreateInstance = nullptr;
inline PFN_vkDestroyInstance vkDestroyInstance = nullptr;
inline PFN_vkEnumerateInstanceExtensionProperties vkEnumerateInstanceExtensionProperties = nullptr;
inline PFN_vkEnumerateInstanceLayerProperties vkEnumerateInstanceLayerProperties = nullptr;
inline PFN_vkEnumerateInstanceVersion vkEnumerateInstanceVersion = nullptr;
inline PFN_vkEnumeratePhysicalDevices vkEnumeratePhysicalDevices = nullptr;
inline PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr = nullptr;

inline PFN_vkCreateDevice vkCreateDevice = nullptr;
inline PFN_vkDestroyDevice vkDestroyDevice = nullptr;
inline PFN_vkDeviceWaitIdle vkDeviceWaitIdle = nullptr;
inline PFN_vkEnumerateDeviceExtensionProperties vkEnumerateDeviceExtensionProperties = nullptr;
inline PFN_vkGetDeviceQueue vkGetDeviceQueue = nullptr;
inline PFN_vkGetPhysicalDeviceFeatures2 vkGetPhysicalDeviceFeatures2 = nullptr;
inline PFN_vkGetPhysicalDeviceMemoryProperties vkGetPhysicalDeviceMemoryProperties = nullptr;
inline PFN_vkGetPhysicalDeviceMemoryProperties2 vkGetPhysicalDeviceMemoryProperties2 = nullptr;
inline PFN_vkGetPhysicalDeviceProperties vkGetPhysicalDeviceProperties = nullptr;
inline PFN_vkGetPhysicalDeviceProperties2 vkGetPhysicalDeviceProperties2 = nullptr;
inline PFN_vkGetPhysicalDeviceQueueFamilyProperties vkGetPhysicalDeviceQueueFamilyProperties =
    nullptr;

inline PFN_vkAllocateMemory vkAllocateMemory = nullptr;
inline PFN_vkBindBufferMemory vkBindBufferMemory = nullptr;
inline PFN_vkCreateBuffer vkCreateBuffer = nullptr;
inline PFN_vkDestroyBuffer vkDestroyBuffer = nullptr;
inline PFN_vkFreeMemory vkFreeMemory = nullptr;
inline PFN_vkGetBufferDeviceAddress vkGetBufferDeviceAddress = nullptr;
inline PFN_vkGetBufferMemoryRequirements vkGetBufferMemoryRequirements = nullptr;
inline PFN_vkMapMemory vkMapMemory = nullptr;

inline PFN_vkCreateComputePipelines vkCreateComputePipelines = nullptr;
inline PFN_vkCreateDescriptorSetLayout vkCreateDescriptorSetLayout = nullptr;
inline PFN_vkCreatePipelineCache vkCreatePipelineCache = nullptr;
inline PFN_vkCreatePipelineLayout vkCreatePipelineLayout = nullptr;
inline PFN_vkCreateShaderModule vkCreateShaderModule = nullptr;
inline PFN_vkDestroyDescriptorSetLayout vkDestroyDescriptorSetLayout = nullptr;
inline PFN_vkDestroyPipeline vkDestroyPipeline = nullptr;
inline PFN_vkDestroyPipelineCache vkDestroyPipelineCache = nullptr;
inline PFN_vkDestroyPipelineLayout vkDestroyPipelineLayout = nullptr;
inline PFN_vkDestroyShaderModule vkDestroyShaderModule = nullptr;
inline PFN_vkGetPipelineCacheData vkGetPipelineCacheData = nullptr;
inline PFN_vkMergePipelineCaches vkMergePipelineCaches = nullptr;

inline PFN_vkAllocateCommandBuffers vkAllocateCommandBuffers = nullptr;
inline PFN_vkAllocateDescriptorSets vkAllocateDescriptorSets = nullptr;
inline PFN_vkBeginCommandBuffer vkBeginCommandBuffer = nullptr;
inline PFN_vkCmdBindDescriptorSets vkCmdBindDescriptorSets = nullptr;
inline PFN_vkCmdBindPipeline vkCmdBindPipeline = nullptr;
inline PFN_vkCmdCopyBuffer vkCmdCopyBuffer = nullptr;
inline PFN_vkCmdDispatch vkCmdDispatch = nullptr;
inline PFN_vkCmdDispatchIndirect vkCmdDispatchIndirect = nullptr;
inline PFN_vkCmdFillBuffer vkCmdFillBuffer = nullptr;
inline PFN_vkCmdPipelineBarrier2 vkCmdPipelineBarrier2 = nullptr;
inline PFN_vkCmdPushConstants vkCmdPushConstants = nullptr;
inline PFN_vkCmdResetQueryPool vkCmdResetQueryPool = nullptr;
inline PFN_vkCmdWriteTimestamp2 vkCmdWriteTimestamp2 = nullptr;
inline PFN_vkCreateCommandPool vkCreateCommandPool = nullptr;
inline PFN_vkCreateDescriptorPool vkCreateDescriptorPool = nullptr;
inline PFN_vkCreateFence vkCreateFence = nullptr;
inline PFN_vkCreateQueryPool vkCreateQueryPool = nullptr;
inline PFN_vkDestroyCommandPool vkDestroyCommandPool = nullptr;
inline PFN_vkDestroyDescriptorPool vkDestroyDescriptorPool = nullptr;
inline PFN_vkDestroyFence vkDestroyFence = nullptr;
inline PFN_vkDestroyQueryPool vkDestroyQueryPool = nullptr;
inline PFN_vkEndCommandBuffer vkEndCommandBuffer = nullptr;
inline PFN_vkGetQueryPoolResults vkGetQueryPoolResults = nullptr;
inline PFN_vkQueueSubmit vkQueueSubmit = nullptr;
inline PFN_vkResetFences vkResetFences = nullptr;
inline PFN_vkUpdateDescriptorSets vkUpdateDescriptorSets = nullptr;
inline PFN_vkWaitForFences vkWaitForFences = nullptr;

}  // namespace awend::vulkan
