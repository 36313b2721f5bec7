#include "vulkan/dispatch.hpp"

#include <cstring>

#include "base/error.hpp"
#include "vulkan/buffers.hpp"
#include "vulkan/result.hpp"

namespace awend::vulkan {
namespace {

constexpr std::uint32_t kSetsPerPool = 256;
constexpr std::uint32_t kBindingsPerSet = 16;

}  // namespace

Work work_of(const Dispatch& dispatch) {
  Work work{.flops = dispatch.flops};
  for (const Range& range : dispatch.bindings) work.bytes += static_cast<double>(range.size_bytes);
  return work;
}

void check_against_shader(const Device& device, const Dispatch& dispatch) {
  const auto& reflection = dispatch.kernel.reflection();
  const auto& name = dispatch.kernel.name();
  base::check(dispatch.bindings.size() == reflection.bindings.size(),
              base::concat(name, ": the number of ranges must be that of the bindings, ",
                           reflection.bindings.size()));
  base::check(dispatch.push_constants.size() == reflection.push_constant_bytes,
              base::concat(name, ": the size of the push constants must be that of the shader, ",
                           reflection.push_constant_bytes));
  auto range = dispatch.bindings.begin();
  for (const auto& [number, contract] : reflection.bindings) {
    const std::uint64_t size_bytes = (range++)->size_bytes;
    if (!dispatch.kernel.descriptors().contains(number)) continue;  // accessed by its address
    const std::uint64_t largest = device.limits().storage_range_bytes;
    if (size_bytes > largest) {
      throw base::LimitError(
          {base::Message("kernel ", name, ": a tensor of ", size_bytes,
                         " bytes is larger than this device can bind (", largest, ")"),
           size_bytes,
           largest,
           {kBatchSize}});
    }
  }
  for (std::size_t axis = 0; axis < dispatch.workgroups.size(); ++axis) {
    const std::uint32_t max_groups = device.limits().workgroup_counts[axis];
    if (dispatch.workgroups[axis] > max_groups) {
      throw base::LimitError({base::Message("kernel ", name, ": ", dispatch.workgroups[axis],
                                            " workgroups are more than this device launches "
                                            "(maxComputeWorkGroupCount: ",
                                            max_groups, ")"),
                              dispatch.workgroups[axis],
                              max_groups,
                              {kBatchSize}});
    }
  }
}

std::vector<std::byte> pushed_bytes(const Device& device, const Dispatch& dispatch) {
  std::vector<std::byte> bytes(dispatch.push_constants.begin(), dispatch.push_constants.end());
  const auto& kernel = dispatch.kernel;
  if (kernel.pushed_bytes() == bytes.size()) return bytes;
  const std::size_t addresses = (bytes.size() + 7) / 8 * 8;
  bytes.resize(kernel.pushed_bytes());
  auto range = dispatch.bindings.begin();
  for (const auto& [number, binding] : kernel.reflection().bindings) {
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                            .pNext = nullptr,
                                            .buffer = buffer_of(*range)};
    const VkDeviceAddress address = vkGetBufferDeviceAddress(device.get(), &info) + range->offset;
    ++range;
    base::check(addresses + 8 * (number + 1) <= bytes.size(),
                "the push constants of the module include all addresses");
    std::memcpy(bytes.data() + addresses + 8 * number, &address, sizeof address);
  }
  return bytes;
}

VkDescriptorSet DescriptorSets::allocate(VkDescriptorSetLayout layout) {
  if (left_ == 0) {
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                       kSetsPerPool * kBindingsPerSet};
    VkDescriptorPoolCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    info.maxSets = kSetsPerPool;
    info.poolSizeCount = 1;
    info.pPoolSizes = &size;
    VkDescriptorPool pool = VK_NULL_HANDLE;
    require(vkCreateDescriptorPool(device_.get(), &info, nullptr, &pool), "vkCreateDescriptorPool");
    pools_.emplace_back(device_.get(), pool, vkDestroyDescriptorPool);
    left_ = kSetsPerPool;
  }
  --left_;
  const VkDescriptorSetAllocateInfo allocate = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
      .pNext = nullptr,
      .descriptorPool = pools_.back().get(),
      .descriptorSetCount = 1,
      .pSetLayouts = &layout};
  VkDescriptorSet set = VK_NULL_HANDLE;
  require(vkAllocateDescriptorSets(device_.get(), &allocate, &set), "vkAllocateDescriptorSets");
  return set;
}

VkDescriptorSet DescriptorSets::make(const Dispatch& dispatch) {
  const VkDescriptorSet set = allocate(dispatch.kernel.set_layout());
  const auto& descriptors = dispatch.kernel.descriptors();
  auto range = dispatch.bindings.begin();
  for (const auto& [number, contract] : dispatch.kernel.reflection().bindings) {
    const Range& bound = *range++;
    if (!descriptors.contains(number)) continue;
    const VkDescriptorBufferInfo buffer = {buffer_of(bound), bound.offset, bound.size_bytes};
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = set;
    write.dstBinding = number;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    write.pBufferInfo = &buffer;
    vkUpdateDescriptorSets(device_.get(), 1, &write, 0, nullptr);
  }
  return set;
}

}  // namespace awend::vulkan
