// fp32 tensors rounded to 16 bits, as operands of matrix products.
// Test: tests/kernels/narrow_test.cpp.
#pragma once

#include "nn/program.hpp"

namespace awend::nn {

/// Rounds `x` (fp32) to the 16-bit elements of `y`, which has the same shape.
void narrow(Program& program, const Tensor& x, const Tensor& y);

}  // namespace awend::nn
