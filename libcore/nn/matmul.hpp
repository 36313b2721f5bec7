// Matrix products as launches: the forms, tiles and flags of shaders/op_matmul.comp.
#pragma once

#include <cstdint>
#include <optional>

#include "nn/program.hpp"

namespace awend::nn {

enum class Form {
  kNN,  ///< c (rows, N) = a (rows, K) · b (K, N)
  kNT,  ///< c (rows, N) = a (rows, K) · b (N, K)ᵀ
  kTN,  ///< c (M, N) = a (rows, M)ᵀ · b (rows, N)
};

struct Product {
  Form form;
  Tensor a;
  Tensor b;
  Tensor c;
  std::optional<Tensor> bias;  ///< (1, N)
  std::uint32_t flags = 0;     ///< MATMUL_RELU, MATMUL_ACCUMULATE of shaders/op.h
};

/// `a` and `b` have elements of one kind, `c` and `bias` are fp32.
void matmul(Program& program, const Product& product);

/// The same without matrix units.
void portable_matmul(Program& program, const Product& product);

/// The numbers of `x` (fp32) as elements of `y`, which is of the same shape and narrow.
void narrow(Program& program, const Tensor& x, const Tensor& y);

/// Adds Σ over rows of `dy` to `gradient` (1, columns).
void add_column_sums(Program& program, const Tensor& dy, const Tensor& gradient);

}  // namespace awend::nn
