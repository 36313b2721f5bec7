// The parameters of dropout for functions of the module host.
#pragma once

#include <cstdint>
#include <optional>

#include "host/dropout.hpp"
#include "nn/launch.hpp"
#include "shaders/lib/step.h"

namespace awend::nn {

inline const StepScalars& step_scalars(const HostView& view, const Tensor& step) {
  return *reinterpret_cast<const StepScalars*>(view.memory(step));
}

/// The dropout of a launch whose operands, constants and push constants are named as in
/// shaders/op_residual.h; nullopt if it drops nothing.
template <class KernelLaunch>
std::optional<host::Dropout> dropout_of(const HostView& view, const KernelLaunch& launch) {
  if (launch.constants.drops == 0) return std::nullopt;
  const StepScalars& scalars = step_scalars(view, launch.operands.step);
  return host::Dropout{.seed_low = scalars.seed_low,
                       .seed_high = scalars.seed_high,
                       .step = scalars.step,
                       .site = launch.push.site,
                       .threshold = launch.push.threshold,
                       .scale = launch.push.scale};
}

}  // namespace awend::nn
