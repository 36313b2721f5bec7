// What a driver's compiler reports about kernels (VK_KHR_pipeline_executable_properties).
//
// A driver compiles without hardware if it is told which device to assume: with RADV_FORCE_FAMILY,
// or by one of Mesa's DRM shims.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "vulkan/kernel_cache.hpp"

namespace awend::tests {

enum class Texts { kNo, kYes };

/// Replaces functions of vulkan/functions.hpp: devices that are opened from now on capture
/// statistics of their kernels, and internal representations if `texts` is kYes; they compile
/// without a cache.
void capture_statistics(Texts texts);

/// A number that a driver reports.
struct Statistic {
  std::string name;
  std::uint64_t value;
};

/// The numbers that all drivers have, under different names; one that is not reported is 0.
struct Summary {
  std::uint64_t registers = 0;      ///< Vector registers of a subgroup, in the driver's unit.
  std::uint64_t spills = 0;         ///< Registers spilled, or the instructions that do it.
  std::uint64_t scratch_bytes = 0;  ///< Memory of a lane for spills and arrays.
  std::uint64_t shared_bytes = 0;   ///< Shared memory of a workgroup.
  std::uint64_t occupancy = 0;      ///< Subgroups in flight, as the driver counts them.
  std::uint64_t instructions = 0;
};
Summary summarize(std::span<const Statistic> statistics);

/// One kernel as the compiler sees it.
struct CompiledKernel {
  std::uint32_t subgroup_size = 0;
  std::vector<Statistic> statistics;
  std::map<std::string, std::string> texts;  ///< Internal representations, such as assembly.
};

/// Reads what the driver has captured.  Requires: capture_statistics() was called before the device
/// was opened.  Throws Error if the driver reports no statistics.
CompiledKernel read_compiled(const vulkan::Device& device, const vulkan::Kernel& kernel);

}  // namespace awend::tests
