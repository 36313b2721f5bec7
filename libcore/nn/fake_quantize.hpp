// fp32 tensors rounded as 8-bit products of the processor round their operands, for training for
// eight bits.  Gradients pass through unchanged, so that there is no gradient rule.
// Test: tests/kernels/fake_quantize_test.cpp.
#pragma once

#include "nn/program.hpp"

namespace awend::nn {

/// x · scale, rounded to integers in [-127, 127], divided by scale: (rows, columns).
Tensor fake_quantize(Program& program, const Tensor& x, float scale);
/// A matrix as checkpoints with 8-bit weights store it: by rows (store/weights.hpp).
Tensor fake_quantize_rows(Program& program, const Tensor& x);
/// A matrix as products quantize their right operand: by columns (host/int8_product.hpp).
Tensor fake_quantize_columns(Program& program, const Tensor& x);

/// The largest magnitude in each row, an output (rows, 1).
Tensor row_magnitudes(Program& program, const Tensor& x);

}  // namespace awend::nn
