// Limits of a device, and properties that kernels and plans depend on.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/message.hpp"
#include "shaders/embedded.hpp"
#include "vulkan/matrix_shape.hpp"

struct VkPhysicalDevice_T;

namespace awend::vulkan {

class Instance;

/// The amount of work that a caller hands to the device at once, and with it the memory needed.
inline constexpr base::Setting kBatchSize{"the batch size"};
inline constexpr base::Setting kSmallerBatch[] = {kBatchSize};

struct Limits {
  std::uint64_t storage_range_bytes;  ///< Maximum range of a storage binding.
  std::uint64_t allocation_bytes;     ///< Maximum of a single allocation, at most 1 GiB.
  std::uint32_t storage_alignment;    ///< Required of offsets of bindings.
  std::uint32_t subgroup_size;   ///< Lanes of a subgroup: 8 on lavapipe, 32 on NVIDIA, 64 on AMD.
  bool subgroup_size_fixed;      ///< Whether pipelines can require this size.
  std::uint32_t hardware_lanes;  ///< The smallest subgroup: lanes that are processed together.
  std::array<std::uint32_t, 3> workgroup_counts;  ///< Maximum along x, y and z.
  std::uint32_t workgroup_threads;                ///< Maximum in one workgroup.
  std::uint32_t shared_bytes;                     ///< Shared memory of a workgroup.
  std::uint32_t push_constant_bytes;
  shaders::Buffers buffers;       ///< The fastest way to access tensors.
  std::uint32_t storage_buffers;  ///< That one kernel can bind.
  double timestamp_period_ns;     ///< 0 if the queue has no timestamps.
  std::uint32_t timestamp_bits;   ///< Of a timestamp; it wraps around.
  std::uint64_t heap_bytes;       ///< largest_heap_bytes(); of a CPU, the machine's memory.
  bool compiles_at_dispatch;      ///< Pipelines are compiled at their first dispatch: lavapipe.
  bool on_cpu;                    ///< The device is a CPU; its matrix units are emulated.
  std::vector<MatrixShape> matrix_shapes;  ///< Empty if there are no matrix units, or if disabled.

  /// The most that one binding covers and one allocation holds.
  std::uint64_t tensor_bytes() const { return std::min(storage_range_bytes, allocation_bytes); }
};

/// The limits of a device that has all required features.
Limits limits_of(const Instance& instance, VkPhysicalDevice_T* device);

}  // namespace awend::vulkan
