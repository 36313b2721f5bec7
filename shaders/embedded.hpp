// The SPIR-V of every kernel, compiled at build time and kept in the program itself.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace awend::shaders {

struct EmbeddedKernel {
  std::string_view name;
  std::span<const std::uint32_t> words;
};

/// All kernels of shaders/kernels.cmake, in that order.
std::span<const EmbeddedKernel> embedded_kernels();

}  // namespace awend::shaders
