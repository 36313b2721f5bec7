// The size of subgroups, which kernels are specialized for.
//
// Kernels keep their results in registers.  Where a driver offers a choice that begins below 32
// lanes, as for Intel's GPUs, a subgroup is one hardware thread with a fixed number of registers,
// which its lanes share: the fewer the lanes, the more registers each has.  Elsewhere, each lane
// has its own registers.  Test: tests/unit/vulkan/subgroups_test.cpp.
#pragma once

#include <cstdint>

namespace awend::vulkan {

/// Kernels need this many lanes.
inline constexpr std::uint32_t kMinSubgroupSize = 4;

/// What a driver reports.
struct SubgroupSizes {
  std::uint32_t usual;  ///< Of pipelines that do not require a size.
  std::uint32_t min;    ///< That a pipeline may require.
  std::uint32_t max;    ///< That a pipeline may require.
  bool choosable;       ///< Pipelines may require one.
};

/// The size for all kernels.
std::uint32_t subgroup_size(const SubgroupSizes& sizes);

}  // namespace awend::vulkan
