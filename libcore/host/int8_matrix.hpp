// Matrices of 8-bit integers as checkpoints store them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "host/product.hpp"

namespace awend::host {

/// Integers, row by row without gaps; a number is the integer times the scale of its row.
struct Int8Matrix {
  const std::int8_t* values;
  const float* scales;
  std::size_t columns;

  /// Writes `count` numbers of a row, from column `first` on.
  void widen(std::size_t row, std::size_t first, std::size_t count, float* out) const {
    const std::int8_t* const from = values + row * columns + first;
    const float scale = scales[row];
    for (std::size_t i = 0; i < count; ++i) out[i] = scale * static_cast<float>(from[i]);
  }
};

/// Such a matrix as the right operand of a product.
struct Int8Operand {
  Int8Matrix matrix;
  Order order = Order::kRows;
  /// The columns of the operand that the matrix has; those after them are zero.
  std::size_t stored_columns;
};

}  // namespace awend::host
