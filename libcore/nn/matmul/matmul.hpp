// Matrix products, on matrix units where the device has them.
#pragma once

#include "nn/matmul/product.hpp"
#include "nn/program.hpp"

namespace awend::nn {

class Parameters;

/// Appends the launches that compute `product`.  `constant_b` is given if `b` is one of these
/// parameters and they are not trained, so that it can be prepared once for many replays.
void matmul(Program& program, const Product& product, const Parameters* constant_b = nullptr);

}  // namespace awend::nn
