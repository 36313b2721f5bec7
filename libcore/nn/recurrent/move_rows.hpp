// Copies of rows, and of some of their columns, with and without gradients.  Test:
// tests/kernels/recurrent_test.cpp.
#pragma once

#include <cstdint>
#include <optional>

#include "nn/parameters.hpp"

namespace awend::nn {

class Graph;

/// A copy from `x` to `y`; members that are not set copy all rows and columns in order.
struct RowMove {
  Tensor x, y;
  Count rows;                        ///< To copy.
  std::optional<Tensor> table = {};  ///< (entries, 1), from the second word of `rows` on
  enum class By { kOrder, kGather, kScatter } by = By::kOrder;
  std::uint32_t width = 0;  ///< Columns; 0: all of x.
  std::uint32_t x_offset = 0, y_offset = 0;
  bool adds = false;
};

void move_rows(Program& program, const RowMove& move);
void zero_rows(Program& program, const Tensor& y, const Count& rows);

/// [a b], column by column: (rows, a.columns + b.columns).
Tensor concat_columns(Graph& graph, const Tensor& a, const Tensor& b);

/// Row i is row table[i] of `x`: (rows, columns).  Requires: the table is a permutation of the
/// rows of x, and the second word of `rows` is 0.
Tensor permute_rows(Graph& graph, const Tensor& x, const Tensor& table, const Count& rows);

/// Some rows of a tensor.
struct RowSelection {
  Tensor table;   ///< (entries, 1): distinct rows of it
  Count entries;  ///< Of the table; the second word is 0.
};

/// Row i is row selection.table[i] of `x`: (rows, columns).  `rows` has as many rows as entries.
Tensor gather_rows(Graph& graph, const Tensor& x, const RowSelection& selection, const Count& rows);

}  // namespace awend::nn
