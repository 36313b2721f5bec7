// The faster of the two ways to access memory (shaders/lib/buffers.glsl) for a driver.
// Test: tests/unit/vulkan/buffers_test.cpp.
#pragma once

#include <cstdint>
#include <string_view>

#include "shaders/embedded.hpp"
#include "vulkan/functions.hpp"

namespace awend::vulkan {

/// Storage buffers of the kernel with the most, its counts included.
inline constexpr std::uint32_t kMaxStorageBuffers = 15;
/// Storage buffers of the modules that access tensors by address.
inline constexpr std::uint32_t kStorageBuffersBesideAddresses = 2;

/// The properties of a driver that determine the fastest way.
struct BufferTraits {
  VkDriverId driver;
  std::string_view driver_info;  ///< "Mesa 25.0.7 (LLVM 15.0.6)"
  bool has_addresses;            ///< Buffer device addresses, 64-bit integers, 256 bytes pushed.
  bool validated;                ///< The validation layer is active; it does not check addresses.
  std::uint32_t storage_buffers = kMaxStorageBuffers;  ///< That one kernel can bind.
};

/// Storage buffers, or addresses if a kernel cannot bind enough of them; addresses on lavapipe of
/// Mesa 23.1 to 25.0, where they are up to 1.6 times as fast.
shaders::Buffers fastest_buffers(const BufferTraits& traits);

/// The value of AWEND_BUFFERS (storage or address), or `fastest` if it is not set.  Throws
/// Error for another value, or for addresses if the device has none.
shaders::Buffers requested_buffers(shaders::Buffers fastest, const BufferTraits& traits);

}  // namespace awend::vulkan
