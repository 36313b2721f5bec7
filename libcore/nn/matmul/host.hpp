// Matrix products on the processor.  Test: tests/kernels/processor_test.cpp.
#pragma once

#include "nn/matmul/product.hpp"
#include "nn/parameters.hpp"
#include "nn/program.hpp"

namespace awend::nn {

/// Appends host work that computes `product`; `constant_b` as in matmul(), with 8-bit integers if
/// it is quantized.  Requires: no bias is added to a sum.
void host_matmul(Program& program, const Product& product,
                 const std::optional<ParameterOperand>& constant_b = std::nullopt);

}  // namespace awend::nn
