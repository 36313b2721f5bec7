// Copies between host memory and device memory that the host cannot access, in pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "vulkan/device.hpp"
#include "vulkan/memory.hpp"

namespace awend::nn {

/// A staging arena for transfers in one direction.
class Staging {
 public:
  /// kUpload or kDownload, for transfers of up to `max_bytes`.
  Staging(vulkan::Device& device, vulkan::MemoryKind kind, std::uint64_t max_bytes);

  /// Both wait until the copy is finished.
  void upload(std::span<const std::byte> bytes, const vulkan::Range& to);
  void download(const vulkan::Range& from, std::span<std::byte> bytes);

 private:
  void copy(const vulkan::Range& from, const vulkan::Range& to);

  vulkan::Device& device_;
  vulkan::Arena arena_;
};

}  // namespace awend::nn
