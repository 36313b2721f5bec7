// A tensor is a view: a number, its rows and its columns, row-major.
#pragma once

#include <cstdint>

#include "nn/element.hpp"

namespace awend::nn {

/// How many rows there are, known only when the program runs: a word of the program's counts, which
/// the host writes before each replay, and the most it will ever be.  The word after it tells where
/// in a larger whole the rows begin, for those that dropout counts by.
struct Count {
  std::uint32_t word = 0;
  std::uint32_t capacity = 0;
};

/// Rows `first_row` … of tensor `id` of a program; (rows, columns).
struct Tensor {
  std::uint32_t id = 0;
  Count rows;
  std::uint32_t columns = 0;
  std::uint32_t first_row = 0;
  Element element = Element::kFloat32;

  std::uint64_t row_bytes() const { return std::uint64_t{columns} * size_bytes(element); }
  std::uint64_t capacity_bytes() const { return rows.capacity * row_bytes(); }
  /// The rows from `first` on.  Requires: `first` · row_bytes() is a multiple of the device's
  /// storage alignment.
  Tensor from_row(std::uint32_t first, Count part) const {
    return {id, part, columns, first_row + first, element};
  }
};

}  // namespace awend::nn
