// Matrix products, on matrix units where the device has them.
#pragma once

#include "nn/matmul/product.hpp"
#include "nn/parameters.hpp"
#include "nn/program.hpp"
#include "vulkan/pace.hpp"

namespace awend::nn {

/// Appends the launches that compute `product`.  `constant_b` is that of
/// Graph::right_operand(), so that it can be prepared once for many replays.
void matmul(Program& program, const Product& product,
            const std::optional<ParameterOperand>& constant_b = std::nullopt);

/// Floating-point operations with all rows.
double flops_of(const Product& product);

/// The rows of `a` that one launch of a kernel may process, so that it takes no longer than a
/// submission may (nn/parts.hpp).  Test: tests/unit/nn/parts_test.cpp.
std::uint32_t part_rows(const Product& product, const vulkan::Pace& pace);

/// As matmul() by kernels, in launches of at most `step` rows of `a`: all, or a multiple of 64.
/// The forms NN and NT have the same bits for every number of rows, the form TN other rounding
/// errors.
void matmul_in_parts(Program& program, const Product& product, std::uint32_t step);

}  // namespace awend::nn
