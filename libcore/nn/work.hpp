// What a launch computes, as far as it decides how long a submission takes (vulkan/pace.hpp).
// Test: tests/unit/nn/work_test.cpp.
#pragma once

#include "nn/launch.hpp"

namespace awend::nn {

/// Floating-point operations with all counts at their capacity: Launch::flops if it is set, an
/// estimate for kernels of attention, otherwise 0.
double flops_of(const Launch& launch);

}  // namespace awend::nn
