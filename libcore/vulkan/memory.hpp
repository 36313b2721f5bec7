// Memory: arenas of one kind, allocated in slabs that are small enough for every driver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/message.hpp"
#include "vulkan/device.hpp"
#include "vulkan/memory_types.hpp"
#include "vulkan/range.hpp"
#include "vulkan/result.hpp"

namespace awend::vulkan {

VkBuffer buffer_of(const Range& range);

/// The memory that this process may use in total: 90 % of the largest heap (largest_heap_bytes()),
/// or, if the driver reports that, of what is free and what this process uses.  On a CPU, half of
/// the machine's memory.
std::uint64_t usable_bytes(const Device& device);

/// The use of the largest heap, and what the driver allows this process.
struct Budget {
  std::uint64_t used_bytes = 0;
  std::uint64_t allowed_bytes = 0;
};

/// The memory of a device that this process uses.
struct MemoryUse {
  std::string device;
  std::uint64_t arena_bytes = 0;
  std::uint64_t outside_bytes = 0;  ///< Of memory for kernels that is not on the device.
  std::optional<Budget> budget;     ///< If the driver reports it.
};
MemoryUse memory_use(const Device& device);

/// A warning if memory for kernels is not on the device, or if this process uses more than the
/// driver allows; otherwise empty.  Test: tests/unit/vulkan/memory_use_test.cpp.
std::string caution_about(const MemoryUse& use);

/// `size_bytes` of memory of one kind.  Offsets continue through all slabs; a range must not cross
/// the border between two slabs.
class Arena {
 public:
  /// Throws LimitError if the device lacks the memory, naming the requested size, the heap, what
  /// remains of it, and the settings to `reduce`.
  Arena(const Device& device, MemoryKind kind, std::uint64_t size_bytes,
        std::span<const base::Setting> reduce = kSmallerBatch);

  Range range(std::uint64_t offset, std::uint64_t size_bytes) const;
  std::uint64_t size_bytes() const { return size_bytes_; }

 private:
  struct Slab {
    DeviceHandle<VkDeviceMemory> memory;
    DeviceHandle<VkBuffer> buffer;
    std::byte* host = nullptr;
    std::unique_ptr<ByteCount> outside = nullptr;  // if kernels expect it on the device
  };
  static std::optional<Slab> make_slab(const Device& device, MemoryKind kind,
                                       std::uint64_t size_bytes);

  std::uint64_t size_bytes_;
  std::uint64_t slab_bytes_;
  ByteCount share_;
  std::vector<Slab> slabs_;
};

}  // namespace awend::vulkan
