// Sums over rows, for gradients of biases.  Test: tests/kernels/linear_test.cpp.
#pragma once

#include "nn/program.hpp"

namespace awend::nn {

/// Adds Σ over rows of `dy` to `gradient` (1, columns).
void add_column_sums(Program& program, const Tensor& dy, const Tensor& gradient);

}  // namespace awend::nn
