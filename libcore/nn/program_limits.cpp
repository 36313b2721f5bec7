// The part of Program that checks launches against the limits of the device.
#include "base/error.hpp"
#include "nn/program.hpp"

namespace awend::nn {

void Program::check_limits() const {
  for (const Launch& launch : launches_) {
    if (launch.host == nullptr) {
      check_limits(launch, engine_.kernels.get(launch.kernel, launch.constants));
    } else {
      check_host_limits(launch);
    }
  }
}

void Program::check_limits(const Launch& launch, const vulkan::Kernel& kernel) const {
  const auto& limits = engine_.device.limits();
  const auto& reflection = kernel.reflection();
  base::check(launch.operands.size() + 1 == reflection.bindings.size() &&
                  launch.constants.size() + 1 == reflection.specialization_ids.size(),
              base::concat("kernel ", kernel.name(), " is launched as declared in its header"));
  auto binding = reflection.bindings.begin();
  Demand largest{launch.kernel, 0, 0};
  for (const auto& [name, access, type, columns, tensor] : launch.operands) {
    const Storage& storage = storages_[tensor.id];
    const std::string user = base::concat(launch.kernel, ", operand ", name);
    const Demand demand{user, tensor.rows.capacity, tensor.columns, storage.reduce, tensor.element};
    if (kernel.descriptors().contains((++binding)->first)) check_binding(limits, demand);
    if (storage.placement != Placement::kExternal) check_allocation(limits, demand);
    if (tensor.capacity_bytes() <= largest.bytes()) continue;
    largest = demand;
    largest.kernel = launch.kernel;
  }
  check_workgroups(limits, largest, {launch.x.max_groups(), launch.y.max_groups()});
}

void Program::check_host_limits(const Launch& launch) const {
  for (const Operand& operand : launch.operands) {
    const Storage& storage = storages_[operand.tensor.id];
    const std::string user = base::concat(launch.kernel, ", operand ", operand.name);
    if (storage.placement == Placement::kExternal) continue;
    check_allocation(engine_.device.limits(),
                     {user, operand.tensor.rows.capacity, operand.tensor.columns, storage.reduce,
                      operand.tensor.element});
  }
}

}  // namespace awend::nn
