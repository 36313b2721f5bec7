// Matrix products on the CPU whose operands are rounded to bf16, with sums in fp32: with AMX or
// AVX-512 BF16, on processors that have them.
//
// An element of a product is a sum in ascending order of the inner index, whatever the shape and
// the number of threads: a row of a result does not depend on the other rows.  AMX and AVX-512 add
// in different orders.  Subnormal operands are zero.  Test:
// tests/unit/host/bfloat16_product_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "host/product.hpp"

namespace awend::host {

/// The instructions that multiply numbers of bf16.
enum class Bfloat16Unit { kNone, kAvx512, kAmx };
/// The best ones of this processor, if use_bfloat16_unit() has not chosen others.
Bfloat16Unit bfloat16_unit();
/// The name of the unit, such as "AMX".
std::string_view name_of(Bfloat16Unit unit);
/// For tests: products use this unit from now on.  Requires: the processor has it.  Not while a
/// product runs.
void use_bfloat16_unit(Bfloat16Unit unit);
/// Whether the processor has the unit.
bool has(Bfloat16Unit unit);

/// A right operand, rounded, in the order in which products read it.
class Bfloat16Operand {
 public:
  Bfloat16Operand(ThreadPool& pool, const Operand& b, std::size_t inner, std::size_t columns);

  std::size_t inner() const { return inner_; }
  std::size_t columns() const { return columns_; }
  const std::uint16_t* values() const { return values_.as<std::uint16_t>(); }

 private:
  std::size_t inner_;
  std::size_t columns_;
  AlignedMemory values_;
};

/// Computes the product with rounded operands.  Requires: bfloat16_unit() is not kNone.
void multiply_bfloat16(ThreadPool& pool, const Product& product);
/// Computes it with `b` instead of product.b: the same result.
void multiply(ThreadPool& pool, const Product& product, const Bfloat16Operand& b);

}  // namespace awend::host
