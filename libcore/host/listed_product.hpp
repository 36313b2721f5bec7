// Products of a few rows with listed rows of a table, such as the logits of the tokens that a
// sentence may have.  The rows of the table are read in place: each product reads other rows, so
// that preparing them would take longer than the product.
//
// An element is a dot product in an order that neither the other rows and ids nor the instruction
// set change.  Test: tests/unit/host/listed_product_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "host/int8_matrix.hpp"

namespace awend::host {

/// c (rows, ids) = a (rows, inner) · table[ids]ᵀ + bias[ids], all row-major, and only c with gaps.
struct ListedProduct {
  std::size_t rows, inner;  ///< `inner` is a multiple of 4.
  const float* a;
  const float* table;
  std::optional<Int8Matrix> integers;  ///< If given, the table, which is widened as it is read.
  std::span<const std::uint32_t> ids;
  const float* bias;  ///< Null: none.
  float* c;
  std::size_t c_stride;  ///< Between rows.
};

/// Computes on the calling thread.
void multiply_listed(const ListedProduct& product);

}  // namespace awend::host
