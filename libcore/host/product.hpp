// Matrix products in fp32 on the CPU, with the instructions that it has (SSE4, AVX2, AVX-512, NEON;
// chosen at run time).
//
// Each element of a product is one chain of fused multiply-adds in ascending order of the inner
// index, whatever the shape, the number of threads and the instruction set: a row of a result
// depends neither on the other rows nor on the machine.  Only instruction sets without fused
// multiply-add (SSE4) round differently.  Test: tests/unit/host/product_test.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "host/aligned_memory.hpp"
#include "host/thread_pool.hpp"

namespace awend::host {

/// Whether an operand is stored row by row, or the rows of the stored matrix are its columns.
enum class Order { kRows, kColumns };

/// A matrix as an operand.
struct Operand {
  const float* values;
  std::size_t stride;  ///< Between rows; between columns for kColumns.
  Order order = Order::kRows;
  /// Of a right operand, the columns in memory; those after them are zero.
  std::size_t stored_columns = SIZE_MAX;

  /// Those of columns [first, first + count) that are in memory.
  std::size_t stored(std::size_t first, std::size_t count) const {
    return first < stored_columns ? std::min(count, stored_columns - first) : 0;
  }
};

/// What an element starts with, before the products are added.
enum class Start { kZero, kResult, kBias };
enum class Finish { kNone, kRelu };

/// c (rows, columns) = a (rows, inner) · b (inner, columns).
struct Product {
  std::size_t rows;
  std::size_t columns;
  std::size_t inner;
  Operand a;
  Operand b;
  float* c;  ///< Row-major without gaps; does not overlap the operands.
  Start start = Start::kZero;
  const float* bias = nullptr;  ///< (columns), for kBias.
  Finish finish = Finish::kNone;
};

/// A right operand in the order in which products read it, for one that is used often.
class PackedOperand {
 public:
  PackedOperand(const Operand& b, std::size_t inner, std::size_t columns);

  std::size_t inner() const { return inner_; }
  std::size_t columns() const { return columns_; }
  const float* values() const { return values_.as<float>(); }

 private:
  std::size_t inner_;
  std::size_t columns_;
  AlignedMemory values_;
};

/// Computes the product on up to `pool.size()` threads.
void multiply(ThreadPool& pool, const Product& product);
/// Computes it with `packed` instead of product.b: the same result.
void multiply(ThreadPool& pool, const Product& product, const PackedOperand& packed);

/// The instruction set that products use: "AVX-512", "AVX2", "NEON", …
std::string_view instruction_set();
/// All instruction sets of this machine for which the program has code, best first, by the names of
/// Highway: AVX-512 is "AVX3".
std::vector<std::string_view> instruction_sets();
/// Makes products use one of instruction_sets(), or the best one again if `name` is empty.  For
/// tests and measurements.  Not while a product runs.
void use_instruction_set(std::string_view name);

}  // namespace awend::host
