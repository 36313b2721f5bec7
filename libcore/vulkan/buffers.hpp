// The fastest of the three ways to access memory (shaders/lib/buffers.glsl) for a driver.
// Test: tests/unit/vulkan/buffers_test.cpp.
#pragma once

#include <cstdint>
#include <string_view>

#include "shaders/embedded.hpp"
#include "vulkan/functions.hpp"

namespace awend::vulkan {

/// Storage buffers of the kernel with the most, its counts included.
inline constexpr std::uint32_t kMostStorageBuffers = 13;
/// Storage buffers of the modules that access tensors by address.
inline constexpr std::uint32_t kStorageBuffersBesideAddresses = 2;

/// The properties of a driver that determine the fastest way.
struct BufferTraits {
  VkDriverId driver;
  std::string_view driver_info;  ///< "Mesa 22.3.6 (LLVM 15.0.6)"
  bool has_addresses;            ///< Buffer device addresses, 64-bit integers, 256 bytes pushed.
  bool validated;                ///< The validation layer is active; it does not check addresses.
  std::uint32_t storage_buffers = kMostStorageBuffers;  ///< That one kernel can bind.
};

/// Storage buffers, or addresses if a kernel cannot bind enough of them; on lavapipe, texel buffers
/// before Mesa 23.1, later addresses.
shaders::Buffers fastest_buffers(const BufferTraits& traits);

/// The value of AWEND_BUFFERS (storage, texel or address), or `fastest` if it is not set.  Throws
/// Error for another value, or for addresses if the device has none.
shaders::Buffers requested_buffers(shaders::Buffers fastest, const BufferTraits& traits);

/// Lavapipe before Mesa 23.1 recompiles a kernel, which takes a second or more, for each
/// combination of two properties of its texel buffers: whether the size of the buffer is a power of
/// two, and whether bits 8 to 15 of the size of the view are all zero, which it interprets as a
/// number of mipmap levels.  With the sizes of the following functions, both are always false.
///
/// The size of a buffer for `size_bytes`, with space after them for a larger view.
std::uint64_t texel_buffer_bytes(std::uint64_t size_bytes);
/// The size of a view of `size_bytes`.
std::uint64_t texel_view_bytes(std::uint64_t size_bytes);

}  // namespace awend::vulkan
