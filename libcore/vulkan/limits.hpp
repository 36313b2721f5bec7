// Limits of a device that kernels and plans must keep, and what they choose by.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "shaders/embedded.hpp"
#include "vulkan/instance.hpp"
#include "vulkan/matrix_units.hpp"

namespace awend::vulkan {

/// Limits that kernels and plans must keep.
struct Limits {
  std::uint64_t storage_range_bytes;  ///< Largest range one binding may see.
  std::uint64_t texel_range_bytes;    ///< The same for texel buffers, see texel_view_bytes().
  std::uint64_t allocation_bytes;     ///< Largest single allocation, at most 1 GiB.
  std::uint32_t storage_alignment;    ///< Of offsets of bindings.
  std::uint32_t subgroup_size;  ///< Lanes of a subgroup: 8 on lavapipe, 32 on NVIDIA, 64 on AMD.
  bool subgroup_size_fixed;     ///< Pipelines can require exactly that size.
  std::array<std::uint32_t, 3> workgroup_counts;  ///< Most workgroups along x, y and z.
  std::uint32_t workgroup_threads;                ///< Most threads of one workgroup.
  std::uint32_t shared_bytes;                     ///< Memory that they share.
  std::uint32_t push_constant_bytes;
  shaders::Buffers buffers;    ///< How kernels reach tensors fastest on this driver.
  double timestamp_period_ns;  ///< 0 if the queue has no timestamps.
  std::uint64_t heap_bytes;    ///< Largest device-local heap; of a CPU, the machine's memory.
  bool compiles_at_dispatch;   ///< Pipelines become machine code when first dispatched: lavapipe.
  bool on_cpu;                 ///< A CPU; its matrix units are emulated.
  std::vector<MatrixShape> matrix_shapes;  ///< Empty: no matrix units, or not wanted.
};

/// Of a device that has all that awend needs.
Limits limits_of(const Instance& instance, VkPhysicalDevice device);

}  // namespace awend::vulkan
