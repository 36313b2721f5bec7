// A kernel for fp16 matrices becomes one for bf16, for compilers that do not know bf16.
//
// Where the 16-bit type is the component of cooperative matrices and nothing else, the two modules
// differ in the type, its capabilities and its extension alone.  Tested over all kernels, against
// the compiler where it knows bf16, by tests/unit/vulkan/bfloat16_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace awend::vulkan {

/// The module `words` with bf16 in place of fp16.  Requires: a module that reflect() accepts.
std::vector<std::uint32_t> as_bfloat16(std::span<const std::uint32_t> words);

}  // namespace awend::vulkan
