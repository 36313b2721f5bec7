// The size of a kernel's workgroup, evaluated from its SPIR-V and its specialization constants, so
// that a kernel that exceeds a limit is refused before a driver compiles it.
// Test: tests/unit/vulkan/workgroup_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "vulkan/limits.hpp"

namespace awend::vulkan {

struct Workgroup {
  std::uint32_t threads = 1;
  std::uint32_t shared_bytes = 0;
};

/// `values[i]` is specialization constant i; others have their defaults.  Throws Error with `name`
/// if the size depends on an operation that is not supported.
Workgroup workgroup_of(std::span<const std::uint32_t> words, std::span<const std::uint32_t> values,
                       std::string_view name);

/// What one launch of a kernel occupies.
struct KernelSize {
  Workgroup workgroup;
  std::uint32_t storage_buffers = 0;
};

/// Throws Error, naming kernel and limit, if the device does not allow this.
void check_size(const Limits& limits, const KernelSize& size, std::string_view name);

}  // namespace awend::vulkan
