#include "tests/compilers/absent_hardware.hpp"

#include <memory>

#include "vulkan/functions.hpp"

namespace awend::tests {
namespace {

using namespace vulkan;

/// Memory of the host, allocated when it is mapped: most of it never is.
struct HostMemory {
  VkDeviceSize size;
  std::unique_ptr<std::byte[]> bytes = nullptr;
};

template <class Handle>
Handle handle_of(void* object) {
  return reinterpret_cast<Handle>(object);
}
HostMemory* memory_of(VkDeviceMemory handle) {
  return reinterpret_cast<HostMemory*>(handle);
}
/// A handle that is not null, of objects that have no state.
template <class Handle>
Handle some_handle() {
  return handle_of<Handle>(reinterpret_cast<void*>(&some_handle<Handle>));
}

void replace_memory() {
  vkGetPhysicalDeviceMemoryProperties = [](VkPhysicalDevice, VkPhysicalDeviceMemoryProperties* it) {
    constexpr VkDeviceSize kBytes = VkDeviceSize{24} << 30;
    constexpr VkMemoryPropertyFlags kAll = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT |
                                           VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                           VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    *it = {};
    it->memoryTypeCount = it->memoryHeapCount = 1;
    it->memoryTypes[0] = {kAll, 0};
    it->memoryHeaps[0] = {kBytes, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  };
  vkGetPhysicalDeviceMemoryProperties2 = [](VkPhysicalDevice device,
                                            VkPhysicalDeviceMemoryProperties2* it) {
    vkGetPhysicalDeviceMemoryProperties(device, &it->memoryProperties);
    // The budget: all of it is free.
    for (auto* next = static_cast<VkBaseOutStructure*>(it->pNext); next != nullptr;
         next = next->pNext) {
      if (next->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT) continue;
      auto* budget = reinterpret_cast<VkPhysicalDeviceMemoryBudgetPropertiesEXT*>(next);
      budget->heapBudget[0] = it->memoryProperties.memoryHeaps[0].size;
      budget->heapUsage[0] = 0;
    }
  };
  vkCreateBuffer = [](VkDevice, const VkBufferCreateInfo* info, const VkAllocationCallbacks*,
                      VkBuffer* buffer) {
    *buffer = handle_of<VkBuffer>(new VkDeviceSize(info->size));
    return VK_SUCCESS;
  };
  vkDestroyBuffer = [](VkDevice, VkBuffer buffer, const VkAllocationCallbacks*) {
    delete reinterpret_cast<VkDeviceSize*>(buffer);
  };
  vkGetBufferMemoryRequirements = [](VkDevice, VkBuffer buffer, VkMemoryRequirements* needs) {
    *needs = {*reinterpret_cast<VkDeviceSize*>(buffer), 256, 1};
  };
  vkGetBufferDeviceAddress = [](VkDevice, const VkBufferDeviceAddressInfo*) {
    return VkDeviceAddress{4096};
  };
  vkAllocateMemory = [](VkDevice, const VkMemoryAllocateInfo* info, const VkAllocationCallbacks*,
                        VkDeviceMemory* memory) {
    *memory = handle_of<VkDeviceMemory>(new HostMemory{info->allocationSize});
    return VK_SUCCESS;
  };
  vkFreeMemory = [](VkDevice, VkDeviceMemory memory, const VkAllocationCallbacks*) {
    delete memory_of(memory);
  };
  vkBindBufferMemory = [](VkDevice, VkBuffer, VkDeviceMemory, VkDeviceSize) { return VK_SUCCESS; };
  vkMapMemory = [](VkDevice, VkDeviceMemory memory, VkDeviceSize, VkDeviceSize, VkMemoryMapFlags,
                   void** host) {
    HostMemory& it = *memory_of(memory);
    it.bytes.reset(new std::byte[it.size]());
    *host = it.bytes.get();
    return VK_SUCCESS;
  };
}

void replace_recordings() {
  vkAllocateCommandBuffers = [](VkDevice, const VkCommandBufferAllocateInfo*,
                                VkCommandBuffer* buffer) {
    *buffer = some_handle<VkCommandBuffer>();
    return VK_SUCCESS;
  };
  vkAllocateDescriptorSets = [](VkDevice, const VkDescriptorSetAllocateInfo* info,
                                VkDescriptorSet* sets) {
    std::fill_n(sets, info->descriptorSetCount, some_handle<VkDescriptorSet>());
    return VK_SUCCESS;
  };
  vkUpdateDescriptorSets = [](auto...) {};
  vkBeginCommandBuffer = [](auto...) { return VK_SUCCESS; };
  vkEndCommandBuffer = [](auto...) { return VK_SUCCESS; };
  vkCmdBindDescriptorSets = [](auto...) {};
  vkCmdBindPipeline = [](auto...) {};
  vkCmdCopyBuffer = [](auto...) {};
  vkCmdDispatch = [](auto...) {};
  vkCmdDispatchIndirect = [](auto...) {};
  vkCmdFillBuffer = [](auto...) {};
  vkCmdPipelineBarrier2 = [](auto...) {};
  vkCmdPushConstants = [](auto...) {};
}

void replace_timestamps() {
  vkCreateQueryPool = [](VkDevice, const VkQueryPoolCreateInfo*, const VkAllocationCallbacks*,
                         VkQueryPool* pool) {
    *pool = some_handle<VkQueryPool>();
    return VK_SUCCESS;
  };
  vkDestroyQueryPool = [](auto...) {};
  vkCmdResetQueryPool = [](auto...) {};
  vkCmdWriteTimestamp2 = [](auto...) {};
  vkGetQueryPoolResults = [](VkDevice, VkQueryPool, std::uint32_t, std::uint32_t, std::size_t size,
                             void* results, VkDeviceSize, VkQueryResultFlags) {
    constexpr std::uint64_t kTicks = 1'000'000;  // between two timestamps
    auto* stamps = static_cast<std::uint64_t*>(results);
    for (std::size_t i = 0; i < size / sizeof *stamps; ++i) stamps[i] = i * kTicks;
    return VK_SUCCESS;
  };
}

void replace_queue() {
  vkQueueSubmit = [](auto...) { return VK_SUCCESS; };
  vkCreateFence = [](VkDevice, const VkFenceCreateInfo*, const VkAllocationCallbacks*,
                     VkFence* fence) {
    *fence = some_handle<VkFence>();
    return VK_SUCCESS;
  };
  vkDestroyFence = [](auto...) {};
  vkResetFences = [](auto...) { return VK_SUCCESS; };
  vkWaitForFences = [](auto...) { return VK_SUCCESS; };
  vkDeviceWaitIdle = [](auto...) { return VK_SUCCESS; };
}

}  // namespace

void replace_hardware() {
  load_functions();
  replace_memory();
  replace_recordings();
  replace_timestamps();
  replace_queue();
}

}  // namespace awend::tests
