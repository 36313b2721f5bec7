#include "nn/limits.hpp"

#include "base/error.hpp"

namespace awend::nn {
namespace {

std::string tensor_of(const Demand& demand) {
  return base::concat(demand.kernel.empty() ? "" : "kernel ", demand.kernel,
                      demand.kernel.empty() ? "" : ": ", "a tensor of ", demand.rows, " x ",
                      demand.columns);
}

}  // namespace

void check_allocation(const vulkan::Limits& limits, const Demand& demand) {
  if (demand.bytes() <= limits.allocation_bytes) return;
  base::fail(tensor_of(demand), " takes ", demand.bytes(),
             " bytes, more than this device allocates at once (maxMemoryAllocationSize, at most "
             "1 GiB: ",
             limits.allocation_bytes, " bytes); a smaller ", demand.smaller, " fits");
}

void check_binding(const vulkan::Limits& limits, const Demand& demand, Descriptor descriptor) {
  const bool texels = descriptor == Descriptor::kTexels;
  const std::uint64_t most = texels ? limits.texel_range_bytes : limits.storage_range_bytes;
  if (demand.bytes() <= most) return;
  base::fail(tensor_of(demand), " takes ", demand.bytes(),
             " bytes, more than a kernel can see on this device (",
             texels ? "maxTexelBufferElements" : "maxStorageBufferRange", ": ", most,
             " bytes); a smaller ", demand.smaller, " fits");
}

void check_workgroups(const vulkan::Limits& limits, const Demand& demand,
                      std::array<std::uint32_t, 2> workgroups) {
  for (std::size_t axis = 0; axis < workgroups.size(); ++axis) {
    if (workgroups[axis] <= limits.workgroup_counts[axis]) continue;
    base::fail(tensor_of(demand), " takes ", workgroups[axis], " workgroups along ",
               axis == 0 ? "x" : "y",
               ", more than this device launches (maxComputeWorkGroupCount: ",
               limits.workgroup_counts[axis], "); a smaller ", demand.smaller, " fits");
  }
}

}  // namespace awend::nn
