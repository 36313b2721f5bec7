#include "nn/limits.hpp"

#include "base/error.hpp"

namespace awend::nn {
namespace {

std::string tensor_of(const Demand& demand) {
  return base::concat(demand.kernel.empty() ? "" : "kernel ", demand.kernel,
                      demand.kernel.empty() ? "" : ": ", "a tensor of ", demand.rows, " x ",
                      demand.columns);
}

struct Limit {
  std::string_view unit;         // of what is needed
  std::string_view restriction;  // "more than ... (limit of Vulkan"
  std::uint64_t value;
  std::string_view value_unit = "";
};

void require_within(const Limit& limit, const Demand& demand, std::uint64_t needed) {
  if (needed <= limit.value) return;
  throw base::LimitError(
      {base::Message(tensor_of(demand), " needs ", needed, " ", limit.unit, ", more than ",
                     limit.restriction, ": ", limit.value, limit.value_unit, ")"),
       needed,
       limit.value,
       {demand.reduce.begin(), demand.reduce.end()}});
}

}  // namespace

void check_allocation(const vulkan::Limits& limits, const Demand& demand) {
  require_within({"bytes", "this device allocates at once (maxMemoryAllocationSize, at most 1 GiB",
                  limits.allocation_bytes, " bytes"},
                 demand, demand.bytes());
}

void check_binding(const vulkan::Limits& limits, const Demand& demand) {
  require_within({"bytes", "a kernel can address on this device (maxStorageBufferRange",
                  limits.storage_range_bytes, " bytes"},
                 demand, demand.bytes());
}

void check_workgroups(const vulkan::Limits& limits, const Demand& demand,
                      std::array<std::uint32_t, 2> workgroups) {
  for (std::size_t axis = 0; axis < workgroups.size(); ++axis) {
    require_within(
        {axis == 0 ? "workgroups along x" : "workgroups along y",
         "this device launches (maxComputeWorkGroupCount", limits.workgroup_counts[axis]},
        demand, workgroups[axis]);
  }
}

}  // namespace awend::nn
