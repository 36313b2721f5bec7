// Matrix products without matrix units: launches of shaders/op_matmul.comp and
// op_matmul_shared.comp.  Test: tests/kernels/linear_test.cpp.
#pragma once

#include "nn/matmul/product.hpp"
#include "nn/program.hpp"

namespace awend::nn {

/// As matmul(), without matrix units.
void portable_matmul(Program& program, const Product& product);

}  // namespace awend::nn
