// The SPIR-V of every kernel, compiled at build time and kept in the program itself.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace awend::shaders {

/// How a module reaches tensors; see lib/buffers.glsl.
enum class Buffers { kStorage, kTexel, kAddress };

struct EmbeddedKernel {
  std::string_view name;
  std::array<std::span<const std::uint32_t>, 3> modules;

  std::span<const std::uint32_t> words(Buffers buffers) const {
    return modules[static_cast<std::size_t>(buffers)];
  }
};

/// All kernels of shaders/kernels.cmake, in that order.
std::span<const EmbeddedKernel> embedded_kernels();

}  // namespace awend::shaders
