// Parts of the memory of a device, without the declarations of Vulkan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace awend::vulkan {

/// A part of a buffer, or of plain memory of the host.
struct Range {
  std::uint64_t buffer = 0;  ///< A VkBuffer; 0: memory of the host, and `offset` is its address.
  std::uint64_t offset = 0;
  std::uint64_t size_bytes = 0;
  std::byte* host = nullptr;  ///< Null if the host cannot access it.

  /// The part of `part_bytes` at `offset_bytes`.
  Range part(std::uint64_t offset_bytes, std::uint64_t part_bytes) const;
  bool overlaps(const Range& other) const {
    return buffer == other.buffer && offset < other.offset + other.size_bytes &&
           other.offset < offset + size_bytes;
  }
  /// The memory on the host.  Requires: `host` is not null.
  template <class T>
  std::span<T> view() const {
    return {reinterpret_cast<T*>(host), size_bytes / sizeof(T)};
  }
};

/// What memory is for.
enum class MemoryKind {
  kDevice,    ///< Fast for kernels; the host accesses it by copies.
  kUpload,    ///< Written by the host, read by kernels.
  kDownload,  ///< Written by kernels or copies, read by the host.
};

}  // namespace awend::vulkan
