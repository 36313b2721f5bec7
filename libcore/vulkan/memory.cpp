#include "vulkan/memory.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "vulkan/result.hpp"

namespace awend::vulkan {
namespace {

constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags kMapped =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

/// Properties to ask for, best first.
std::array<VkMemoryPropertyFlags, 3> preferences(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::kUpload:
      return {kMapped | kLocal, kMapped, kMapped};
    case MemoryKind::kDownload:
      return {kMapped | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, kMapped, kMapped};
    default:
      return {kLocal, kLocal, 0};
  }
}

}  // namespace

Range Range::part(std::uint64_t offset_bytes, std::uint64_t part_bytes) const {
  base::check(offset_bytes + part_bytes <= size_bytes, "a part lies inside its range");
  return {buffer, offset + offset_bytes, part_bytes,
          host == nullptr ? nullptr : host + offset_bytes};
}

Arena::Arena(const Device& device, MemoryKind kind, std::uint64_t size_bytes)
    : size_bytes_(size_bytes), slab_bytes_(device.limits().allocation_bytes) {
  for (std::uint64_t begin = 0; begin < size_bytes; begin += slab_bytes_) {
    slabs_.push_back(make_slab(device, kind, std::min(slab_bytes_, size_bytes - begin)));
  }
}

Arena::Slab Arena::make_slab(const Device& device, MemoryKind kind,
                             std::uint64_t size_bytes) const {
  Slab slab;
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = size_bytes;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
               VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
  const auto buffers = device.limits().buffers;
  if (buffers == shaders::Buffers::kTexel) info.usage |= VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
  if (buffers == shaders::Buffers::kAddress)
    info.usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  VkBuffer buffer = VK_NULL_HANDLE;
  require(vkCreateBuffer(device.get(), &info, nullptr, &buffer), "vkCreateBuffer");
  slab.buffer = {device.get(), buffer, vkDestroyBuffer};

  VkMemoryRequirements needs{};
  vkGetBufferMemoryRequirements(device.get(), buffer, &needs);
  VkMemoryAllocateFlagsInfo addressable{};
  addressable.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
  addressable.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkPhysicalDeviceMemoryProperties memory{};
  vkGetPhysicalDeviceMemoryProperties(device.physical(), &memory);
  VkResult last = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  for (const VkMemoryPropertyFlags wanted : preferences(kind)) {
    for (std::uint32_t type = 0; type < memory.memoryTypeCount; ++type) {
      if ((needs.memoryTypeBits >> type & 1) == 0) continue;
      if ((memory.memoryTypes[type].propertyFlags & wanted) != wanted) continue;
      const VkMemoryAllocateInfo allocate = {
          .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
          .pNext = buffers == shaders::Buffers::kAddress ? &addressable : nullptr,
          .allocationSize = needs.size,
          .memoryTypeIndex = type};
      VkDeviceMemory allocated = VK_NULL_HANDLE;
      last = vkAllocateMemory(device.get(), &allocate, nullptr, &allocated);
      if (last != VK_SUCCESS) continue;
      slab.memory = {device.get(), allocated, vkFreeMemory};
      require(vkBindBufferMemory(device.get(), buffer, allocated, 0), "vkBindBufferMemory");
      if (kind != MemoryKind::kDevice) {
        void* host = nullptr;
        require(vkMapMemory(device.get(), allocated, 0, VK_WHOLE_SIZE, 0, &host), "vkMapMemory");
        slab.host = static_cast<std::byte*>(host);
      }
      return slab;
    }
  }
  base::fail(device.info().name, ": out of device memory: ", size_bytes_ >> 20,
             " MiB are wanted, the largest heap has ", device.limits().heap_bytes >> 20,
             " MiB; a smaller --batch-tokens needs less (VkResult ", static_cast<int>(last), ")");
}

Range Arena::range(std::uint64_t offset, std::uint64_t size_bytes) const {
  const std::uint64_t slab = offset / slab_bytes_;
  const std::uint64_t inside = offset % slab_bytes_;
  base::check(offset + size_bytes <= size_bytes_ && inside + size_bytes <= slab_bytes_,
              "a range lies in one slab of its arena");
  const auto& home = slabs_[slab];
  return {home.buffer.get(), inside, size_bytes,
          home.host == nullptr ? nullptr : home.host + inside};
}

}  // namespace awend::vulkan
