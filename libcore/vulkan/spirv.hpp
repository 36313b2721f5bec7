// Reflection of SPIR-V modules, so that a launch that does not match its kernel is refused.
//
// Supports only what the kernels of this project use: storage buffers in set 0, one
// push-constant block of 32-bit words, specialization constants.  Test, with all embedded kernels
// and without a device: tests/unit/vulkan/kernels_test.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string_view>

#include "base/error.hpp"

namespace awend::vulkan {

struct Binding {
  bool written = false;  ///< False if the shader declares the buffer readonly.
};

struct Reflection {
  std::map<std::uint32_t, Binding> bindings;  ///< By binding number.
  std::uint32_t push_constant_bytes = 0;
  std::set<std::uint32_t> specialization_ids;
  bool uses_barrier = false;  ///< A barrier turns a lavapipe kernel into a slow coroutine.
  bool uses_shared_memory = false;
};

/// Calls visit(operation, words of the instruction) for each instruction of a module.  Throws Error
/// with `name` if the last one is not complete.
template <class Visit>
void for_each_instruction(std::span<const std::uint32_t> words, std::string_view name,
                          const Visit& visit) {
  constexpr std::size_t kHeaderWords = 5;
  for (std::size_t at = kHeaderWords; at < words.size();) {
    const std::uint32_t length = words[at] >> 16;
    if (length == 0 || at + length > words.size())
      base::fail("kernel ", name, ": truncated SPIR-V");
    visit(words[at] & 0xffff, words.subspan(at, length));
    at += length;
  }
}

/// Throws Error with `name` if `words` is not a SPIR-V module or uses another descriptor set.
Reflection reflect(std::span<const std::uint32_t> words, std::string_view name);

}  // namespace awend::vulkan
