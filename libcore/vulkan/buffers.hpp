// Which of the three ways to memory of shaders/lib/buffers.glsl a driver is fastest with.
#pragma once

#include <vulkan/vulkan.h>

#include <string_view>

#include "shaders/embedded.hpp"

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

}  // namespace awend::vulkan
