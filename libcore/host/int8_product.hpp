// Matrix products with 8-bit integers on the CPU, for weights that are not trained.
//
// The right operand is quantized by columns, the left one by rows at each product: the scale is
// 1/127 of the largest magnitude, or one that a model fixes for the left operand, and rounding is
// to the nearest integer.  Sums of integers are exact, so that results are the same for any number
// of rows and threads and on all machines; only instruction sets without fused multiply-add (SSE4)
// round the sum with a bias differently.  With AMX or AVX-512 VNNI, products of bytes are added
// up; other instruction sets multiply pairs of 16-bit integers.  Test:
// tests/unit/host/int8_product_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "host/aligned_memory.hpp"
#include "host/int8_matrix.hpp"
#include "host/product.hpp"

namespace awend::host {

/// The largest inner dimension for which sums fit 32 bits.
inline constexpr std::size_t kMaxInt8Inner = 32'768;

/// A right operand as integers, in the order in which products read them.
class QuantizedOperand {
 public:
  /// `left_scale` is what left operands are multiplied with before they are rounded and limited to
  /// [-127, 127]; 0: 127 over the largest magnitude of each row.  Requires: inner ≤ kMaxInt8Inner.
  QuantizedOperand(ThreadPool& pool, const Operand& b, std::size_t inner, std::size_t columns,
                   float left_scale = 0);
  /// The same for a matrix of integers, of which only a few columns are widened at once: with the
  /// same result as if all were.
  QuantizedOperand(ThreadPool& pool, const Int8Operand& b, std::size_t inner, std::size_t columns,
                   float left_scale = 0);

  std::size_t inner() const { return inner_; }
  std::size_t columns() const { return columns_; }
  float left_scale() const { return left_scale_; }
  const std::byte* values() const { return values_.as<std::byte>(); }
  /// Of each column, padded to whole panels.
  const std::vector<float>& scales() const { return scales_; }
  /// What the sum of each column starts with, to remove the offset of the left operand.
  const std::vector<std::int32_t>& starts() const { return starts_; }

 private:
  /// Copies columns [first, first + count), one after the other.
  using CopyColumns = std::function<void(std::size_t first, std::size_t count, float* to)>;
  void pack(ThreadPool& pool, const CopyColumns& copy);
  void pack_panel(const CopyColumns& copy, std::size_t first);

  std::size_t inner_;
  std::size_t columns_;
  float left_scale_;
  std::vector<float> scales_;
  std::vector<std::int32_t> starts_;
  AlignedMemory values_{0};
};

/// Computes the product with `b` instead of product.b.  Requires: rows of a are stored row by row.
void multiply(ThreadPool& pool, const Product& product, const QuantizedOperand& b);

}  // namespace awend::host
