// Which of the three ways to memory of shaders/lib/buffers.glsl a driver is fastest with.
#pragma once

#include <cstdint>
#include <string_view>

#include "shaders/embedded.hpp"
#include "vulkan/functions.hpp"

namespace awend::vulkan {

/// What decides.
struct BufferTraits {
  VkDriverId driver;
  std::string_view driver_info;  ///< "Mesa 22.3.6 (LLVM 15.0.6)"
  bool has_addresses;            ///< Buffer device addresses, 64-bit integers, 256 bytes pushed.
  bool validated;                ///< The validation layer watches; it cannot see addresses.
};

/// Storage buffers, except on lavapipe: texel buffers before Mesa 23.1, addresses since.
shaders::Buffers fastest_buffers(const BufferTraits& traits);

/// What AWEND_BUFFERS asks for (storage, texel or address), else `fastest`.  Throws Error for
/// another word, or for addresses where there are none.
shaders::Buffers wanted_buffers(shaders::Buffers fastest, const BufferTraits& traits);

/// Lavapipe before Mesa 23.1 compiles a kernel anew, for a second and more, for each combination of
/// two properties of the texel buffers bound to it: whether the buffer's size is a power of two,
/// and whether bits 8 to 15 of the view's size are all zero, which it takes for a number of mipmap
/// levels.  With these sizes the answer is always no.
///
/// The size of a buffer that holds `size_bytes`, with room behind them for a larger view.
std::uint64_t texel_buffer_bytes(std::uint64_t size_bytes);
/// The size of a view of `size_bytes`.
std::uint64_t texel_view_bytes(std::uint64_t size_bytes);

}  // namespace awend::vulkan
