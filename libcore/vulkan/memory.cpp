#include "vulkan/memory.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.hpp"
#include "vulkan/buffers.hpp"
#include "vulkan/result.hpp"

namespace awend::vulkan {
namespace {

constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags kMapped =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

/// Requested memory properties, best first.
std::array<VkMemoryPropertyFlags, 3> preferences(const Device& device, MemoryKind kind) {
  if (device.limits().on_cpu) return {kMapped | kLocal, kMapped, kMapped};
  switch (kind) {
    case MemoryKind::kUpload:
      return {kMapped | kLocal, kMapped, kMapped};
    case MemoryKind::kDownload:
      return {kMapped | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, kMapped, kMapped};
    default:
      return {kLocal, kLocal, 0};
  }
}

bool has_extension(VkPhysicalDevice device, std::string_view name) {
  std::uint32_t count = 0;
  vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  vkEnumerateDeviceExtensionProperties(device, nullptr, &count, extensions.data());
  return std::ranges::any_of(extensions, [&](const auto& e) { return e.extensionName == name; });
}

/// Free memory of the largest device-local heap, if the driver reports it.
std::optional<std::uint64_t> memory_left(const Device& device) {
  if (!has_extension(device.physical(), VK_EXT_MEMORY_BUDGET_EXTENSION_NAME)) return std::nullopt;
  VkPhysicalDeviceMemoryBudgetPropertiesEXT budget{};
  budget.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT;
  VkPhysicalDeviceMemoryProperties2 memory{};
  memory.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2;
  memory.pNext = &budget;
  vkGetPhysicalDeviceMemoryProperties2(device.physical(), &memory);
  std::uint64_t left = 0;
  for (std::uint32_t i = 0; i < memory.memoryProperties.memoryHeapCount; ++i) {
    if ((memory.memoryProperties.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) == 0)
      continue;
    const std::uint64_t used = std::min(budget.heapUsage[i], budget.heapBudget[i]);
    left = std::max(left, budget.heapBudget[i] - used);
  }
  return left;
}

[[noreturn]] void fail_for_memory(const Device& device, std::uint64_t requested_bytes,
                                  std::span<const base::Setting> reduce) {
  const auto left = memory_left(device);
  const std::uint64_t heap_bytes = device.limits().heap_bytes;
  throw base::LimitError(
      {base::Message(device.info().name, ": out of device memory: ", requested_bytes >> 20,
                     " MiB requested, the largest heap has ", heap_bytes >> 20, " MiB",
                     left ? base::concat(", of which ", *left >> 20, " MiB are free") : ""),
       requested_bytes,
       left.value_or(heap_bytes),
       {reduce.begin(), reduce.end()}});
}

}  // namespace

Range Range::part(std::uint64_t offset_bytes, std::uint64_t part_bytes) const {
  base::check(offset_bytes + part_bytes <= size_bytes, "a part is inside its range");
  return {buffer, offset + offset_bytes, part_bytes,
          host == nullptr ? nullptr : host + offset_bytes};
}

std::uint64_t usable_bytes(const Device& device) {
  const std::uint64_t heap = device.limits().heap_bytes;
  if (device.limits().on_cpu) return heap / 2;
  // Free memory plus that of this process, minus a reserve for the driver.
  const auto left = memory_left(device);
  return (left ? *left + device.arena_bytes() : heap) / 10 * 9;
}

ArenaShare::ArenaShare(const Device& device, std::uint64_t size_bytes)
    : sum_(device.arena_bytes_), size_bytes_(size_bytes) {
  sum_ += size_bytes_;
}

ArenaShare::ArenaShare(ArenaShare&& other) noexcept
    : sum_(other.sum_), size_bytes_(std::exchange(other.size_bytes_, 0)) {}

ArenaShare::~ArenaShare() {
  sum_ -= size_bytes_;
}

Arena::Arena(const Device& device, MemoryKind kind, std::uint64_t size_bytes,
             std::span<const base::Setting> reduce)
    : size_bytes_(size_bytes),
      slab_bytes_(device.limits().allocation_bytes),
      share_(device, size_bytes) {
  // The driver of a CPU allocates more than there is, and the system would kill this process.
  if (size_bytes > device.limits().heap_bytes) fail_for_memory(device, size_bytes, reduce);
  for (std::uint64_t begin = 0; begin < size_bytes; begin += slab_bytes_) {
    auto slab = make_slab(device, kind, std::min(slab_bytes_, size_bytes - begin));
    if (!slab) fail_for_memory(device, size_bytes, reduce);
    slabs_.push_back(std::move(*slab));
  }
}

std::optional<Arena::Slab> Arena::make_slab(const Device& device, MemoryKind kind,
                                            std::uint64_t size_bytes) {
  Slab slab;
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = size_bytes;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
               VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
  const auto buffers = device.limits().buffers;
  if (buffers == shaders::Buffers::kTexel) {
    info.size = texel_buffer_bytes(size_bytes);
    info.usage |= VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
  }
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
  for (const VkMemoryPropertyFlags requested : preferences(device, kind)) {
    for (std::uint32_t type = 0; type < memory.memoryTypeCount; ++type) {
      if ((needs.memoryTypeBits >> type & 1) == 0) continue;
      if ((memory.memoryTypes[type].propertyFlags & requested) != requested) continue;
      const VkMemoryAllocateInfo allocate = {
          .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
          .pNext = buffers == shaders::Buffers::kAddress ? &addressable : nullptr,
          .allocationSize = needs.size,
          .memoryTypeIndex = type};
      VkDeviceMemory allocated = VK_NULL_HANDLE;
      const VkResult result = vkAllocateMemory(device.get(), &allocate, nullptr, &allocated);
      if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY)
        continue;
      require(result, "vkAllocateMemory");
      slab.memory = {device.get(), allocated, vkFreeMemory};
      require(vkBindBufferMemory(device.get(), buffer, allocated, 0), "vkBindBufferMemory");
      if (kind != MemoryKind::kDevice || device.limits().on_cpu) {
        void* host = nullptr;
        require(vkMapMemory(device.get(), allocated, 0, VK_WHOLE_SIZE, 0, &host), "vkMapMemory");
        slab.host = static_cast<std::byte*>(host);
      }
      return slab;
    }
  }
  return std::nullopt;
}

Range Arena::range(std::uint64_t offset, std::uint64_t size_bytes) const {
  const std::uint64_t slab = offset / slab_bytes_;
  const std::uint64_t inside = offset % slab_bytes_;
  base::check(offset + size_bytes <= size_bytes_ && inside + size_bytes <= slab_bytes_,
              "a range is inside one slab of its arena");
  const auto& [memory, buffer, host] = slabs_[slab];
  return {buffer.get(), inside, size_bytes, host == nullptr ? nullptr : host + inside};
}

}  // namespace awend::vulkan
