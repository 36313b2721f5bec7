// Copies of rows, and dropout with masks from a table, on the CPU; the rules are in
// shaders/op_move_rows.comp and op_row_dropout.comp.  Test: tests/kernels/recurrent_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "host/dropout.hpp"
#include "host/store.hpp"
#include "host/thread_pool.hpp"

namespace awend::host {

/// A part of the columns of a matrix.
struct Columns {
  std::size_t stride;  ///< Of the rows.
  std::size_t offset;  ///< The first column.
};

/// Copies `width` columns of `rows` rows from x to y.
struct MoveRows {
  std::size_t rows;
  std::size_t width;
  const std::uint32_t* from;  ///< (rows): the row of x for each, or null: in order.
  const std::uint32_t* to;    ///< (rows): the row of y for each, or null: in order.
  std::uint32_t no_token;     ///< Entries of the tables that leave their row as it is.
  const float* x;             ///< Null: zeros.
  Columns x_columns;
  float* y;
  Columns y_columns;
  Store store;
};
void move_rows(ThreadPool& pool, const MoveRows& move);

/// y = dropout(a), plus x: the row of the mask of row i is masks[i].
struct RowDropout {
  std::size_t rows;
  std::size_t columns;         ///< A multiple of 4.
  const std::uint32_t* masks;  ///< (rows)
  Dropout dropout;
  const float* x;  ///< (rows, columns) or null
  const float* a;  ///< (rows, columns)
  float* y;        ///< (rows, columns)
  Store store;
};
void row_dropout(ThreadPool& pool, const RowDropout& dropout);

}  // namespace awend::host
