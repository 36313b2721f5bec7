#include "vulkan/memory.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "vulkan/buffers.hpp"
#include "vulkan/result.hpp"
#include "vulkan/survey.hpp"

namespace awend::vulkan {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

/// Of the largest budget; nullopt if the driver does not report it.
std::optional<Budget> budget_of(const Device& device) {
  const bool is_integrated = device.info().type == DeviceType::kIntegratedGpu;
  std::optional<Budget> largest;
  for (const auto& heap : survey(device.physical()).heaps) {
    if (!(heap.device_local || is_integrated) || !heap.budget_bytes) continue;
    if (!largest || *heap.budget_bytes > largest->allowed_bytes)
      largest = Budget{*heap.used_bytes, *heap.budget_bytes};
  }
  return largest;
}

/// Free memory of that heap, if the driver reports it.
std::optional<std::uint64_t> memory_left(const Device& device) {
  const auto budget = budget_of(device);
  if (!budget) return std::nullopt;
  return budget->allowed_bytes - std::min(budget->used_bytes, budget->allowed_bytes);
}

[[noreturn]] void fail_for_memory(const Device& device, std::uint64_t requested_bytes,
                                  std::span<const base::Setting> reduce) {
  const auto left = memory_left(device);
  const std::uint64_t heap_bytes = device.limits().heap_bytes;
  throw base::LimitError(
      {base::Message(device.info().name,
                     ": out of device memory: ", base::divide_up(requested_bytes, kMebibyte),
                     " MiB requested, the largest heap has ", heap_bytes >> 20, " MiB",
                     left ? base::concat(", of which ", *left >> 20, " MiB are free") : ""),
       requested_bytes,
       left.value_or(heap_bytes),
       {reduce.begin(), reduce.end()}});
}

}  // namespace

// Handles are pointers on 64-bit machines and numbers on others.
VkBuffer buffer_of(const Range& range) {
  return std::bit_cast<VkBuffer>(range.buffer);
}

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

MemoryUse memory_use(const Device& device) {
  return {.device = device.info().name,
          .arena_bytes = device.arena_bytes(),
          .outside_bytes = device.outside_bytes(),
          .budget = device.limits().on_cpu ? std::nullopt : budget_of(device)};
}

std::string caution_about(const MemoryUse& use) {
  const auto mebibytes = [](std::uint64_t bytes) { return base::divide_up(bytes, kMebibyte); };
  if (use.outside_bytes > 0) {
    return base::concat(use.device, ": ", mebibytes(use.outside_bytes), " MiB of ",
                        mebibytes(use.arena_bytes),
                        " do not fit in its memory; kernels read them from the memory of the "
                        "machine, which is slow");
  }
  if (!use.budget || use.budget->used_bytes <= use.budget->allowed_bytes) return "";
  return base::concat(use.device, ": ", mebibytes(use.budget->used_bytes),
                      " MiB are in use, more than the ", mebibytes(use.budget->allowed_bytes),
                      " MiB that the driver allows this process; it may move memory out of the "
                      "device, which is slow");
}

ByteCount::ByteCount(std::atomic<std::uint64_t>& sum, std::uint64_t size_bytes)
    : sum_(sum), size_bytes_(size_bytes) {
  sum_ += size_bytes_;
}

ByteCount::ByteCount(ByteCount&& other) noexcept
    : sum_(other.sum_), size_bytes_(std::exchange(other.size_bytes_, 0)) {}

ByteCount::~ByteCount() {
  sum_ -= size_bytes_;
}

Arena::Arena(const Device& device, MemoryKind kind, std::uint64_t size_bytes,
             std::span<const base::Setting> reduce)
    : size_bytes_(size_bytes),
      slab_bytes_(device.limits().allocation_bytes),
      share_(device.arena_bytes_, size_bytes) {
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
  for (const std::uint32_t type :
       memory_types(memory, {kind, needs.memoryTypeBits, device.info().type})) {
    const VkMemoryAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = buffers == shaders::Buffers::kAddress ? &addressable : nullptr,
        .allocationSize = needs.size,
        .memoryTypeIndex = type};
    VkDeviceMemory allocated = VK_NULL_HANDLE;
    const VkResult result = vkAllocateMemory(device.get(), &allocate, nullptr, &allocated);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY) continue;
    require(result, "vkAllocateMemory");
    slab.memory = {device.get(), allocated, vkFreeMemory};
    require(vkBindBufferMemory(device.get(), buffer, allocated, 0), "vkBindBufferMemory");
    if (kind != MemoryKind::kDevice || device.limits().on_cpu) {
      void* host = nullptr;
      require(vkMapMemory(device.get(), allocated, 0, VK_WHOLE_SIZE, 0, &host), "vkMapMemory");
      slab.host = static_cast<std::byte*>(host);
    }
    const bool is_inside =
        is_device_local(memory, type) || device.info().type == DeviceType::kIntegratedGpu;
    if (kind == MemoryKind::kDevice && !is_inside)
      slab.outside = std::make_unique<ByteCount>(device.outside_bytes_, size_bytes);
    return slab;
  }
  return std::nullopt;
}

Range Arena::range(std::uint64_t offset, std::uint64_t size_bytes) const {
  const std::uint64_t slab = offset / slab_bytes_;
  const std::uint64_t inside = offset % slab_bytes_;
  base::check(offset + size_bytes <= size_bytes_ && inside + size_bytes <= slab_bytes_,
              "a range is inside one slab of its arena");
  const auto& found = slabs_[slab];
  return {std::bit_cast<std::uint64_t>(found.buffer.get()), inside, size_bytes,
          found.host == nullptr ? nullptr : found.host + inside};
}

}  // namespace awend::vulkan
