// A matrix product: its operands and what is done with the result.
#pragma once

#include <cstdint>
#include <optional>

#include "nn/tensor.hpp"
#include "shaders/lib/matmul.h"

namespace awend::nn {

enum class Form {
  kNN,  ///< c (rows, N) = a (rows, K) · b (K, N)
  kNT,  ///< c (rows, N) = a (rows, K) · b (N, K)ᵀ
  kTN,  ///< c (M, N) = a (rows, M)ᵀ · b (rows, N)
};

/// `a` and `b` have the same element type; `c` and `bias` are fp32.
struct Product {
  Form form;
  Tensor a;
  Tensor b;
  Tensor c;
  std::optional<Tensor> bias;  ///< (1, N)
  std::uint32_t flags = 0;     ///< MATMUL_RELU, MATMUL_ACCUMULATE of shaders/lib/matmul.h
};

}  // namespace awend::nn
