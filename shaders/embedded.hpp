// The SPIR-V of all kernels, compiled at build time and embedded in the program.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace awend::shaders {

/// How a module accesses tensors; see lib/buffers.glsl.
enum class Buffers { kStorage, kAddress };

struct EmbeddedKernel {
  std::string_view name;
  std::array<std::span<const std::uint32_t>, 2> modules;

  std::span<const std::uint32_t> words(Buffers buffers) const {
    return modules[static_cast<std::size_t>(buffers)];
  }
};

/// All portable kernels of shaders/kernels.cmake, in that order.
std::span<const EmbeddedKernel> embedded_kernels();

/// A kernel for matrix units, which accesses tensors as storage buffers.
struct MatrixKernel {
  std::string_view name;
  std::span<const std::uint32_t> float16;
  std::span<const std::uint32_t> bfloat16;  ///< Empty if the compiler does not support bf16.
};

std::span<const MatrixKernel> matrix_kernels();

/// "matrix kernels: compiled", or "matrix kernels: prebuilt (glslang 16.6.0)" if the compiler of
/// this build does not support them.
std::string_view matrix_kernels_origin();

}  // namespace awend::shaders
