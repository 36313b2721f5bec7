// What a SPIR-V module says of itself, so that a launcher that disagrees is refused before it runs.
//
// Reads only what compute kernels of this project use: storage and texel buffers in set 0, one
// push-constant block of 32-bit words, specialization constants.  Tested over all embedded kernels,
// with no device, by tests/unit/vulkan.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string_view>

namespace awend::vulkan {

struct Binding {
  bool written = false;  ///< False if the shader declares the buffer readonly.
  bool texels = false;   ///< A uniform texel buffer instead of a storage buffer.
};

struct Reflection {
  std::map<std::uint32_t, Binding> bindings;  ///< By binding number.
  std::uint32_t push_constant_bytes = 0;
  std::set<std::uint32_t> specialization_ids;
  bool uses_barrier = false;  ///< A barrier turns a lavapipe kernel into a slow coroutine.
  bool uses_shared_memory = false;
};

/// Throws Error naming `name` if `words` is no SPIR-V module or uses another descriptor set.
Reflection reflect(std::span<const std::uint32_t> words, std::string_view name);

}  // namespace awend::vulkan
