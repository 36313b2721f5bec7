// Matrix products, on matrix units where the device has them.
#pragma once

#include "nn/matmul/product.hpp"
#include "nn/program.hpp"

namespace awend::nn {

/// Appends the launches that compute `product`.
void matmul(Program& program, const Product& product);

}  // namespace awend::nn
