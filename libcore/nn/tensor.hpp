// A tensor: a view of a storage of a program, with rows and columns, row-major.
#pragma once

#include <cstdint>

#include "nn/element.hpp"

namespace awend::nn {

/// A number of rows that is known only when the program runs: the index of a word in the program's
/// counts, which the host writes before each replay, and its maximum.  The next word is the index
/// of the first row in a larger whole, which dropout uses.
struct Count {
  std::uint32_t word = 0;
  std::uint32_t capacity = 0;
};

/// Rows from `first_row` on of storage `id` of a program; (rows, columns).
struct Tensor {
  std::uint32_t id = 0;
  Count rows;
  std::uint32_t columns = 0;
  std::uint32_t first_row = 0;
  Element element = Element::kFloat32;
  /// Products on the processor round numbers to this type as they read them.
  Element read_as = Element::kFloat32;

  std::uint64_t row_bytes() const { return std::uint64_t{columns} * size_bytes(element); }
  std::uint64_t capacity_bytes() const { return rows.capacity * row_bytes(); }
  /// The rows from `first` on.  Requires: `first` · row_bytes() is a multiple of the device's
  /// storage alignment.
  Tensor from_row(std::uint32_t first, Count part) const {
    return {id, part, columns, first_row + first, element, read_as};
  }
  /// The same memory as (rows, columns) of other numbers.  Requires: first_row is 0.
  Tensor reshaped(Count new_rows, std::uint32_t new_columns) const {
    return {id, new_rows, new_columns, 0, element, read_as};
  }
};

}  // namespace awend::nn
