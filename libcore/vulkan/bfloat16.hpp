// Converts a kernel for fp16 matrices to one for bf16, for compilers that do not support bf16.
//
// If the 16-bit type is only used as the component type of cooperative matrices, the two modules
// differ only in the type, its capabilities and its extension.  Test, with a comparison to the
// compiler if it supports bf16: tests/unit/vulkan/bfloat16_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace awend::vulkan {

/// The module `words` with bf16 instead of fp16.  Requires: a module that reflect() accepts.
std::vector<std::uint32_t> as_bfloat16(std::span<const std::uint32_t> words);

}  // namespace awend::vulkan
