// Matrix products on the host, between the kernels of a program, on devices of type CPU.
// Test: tests/kernels/host_matmul_test.cpp.
#pragma once

#include "nn/matmul/product.hpp"
#include "nn/program.hpp"

namespace awend::nn {

/// Whether the engine computes `product` on the host: it has host threads, and operands are fp32.
bool host_matmul_fits(const Engine& engine, const Product& product);

class Parameters;

/// Appends host work that computes `product`; `constant_b` as in matmul(), with 8-bit integers if
/// it is quantized.  Requires: host_matmul_fits().
void host_matmul(Program& program, const Product& product, const Parameters* constant_b = nullptr);

}  // namespace awend::nn
