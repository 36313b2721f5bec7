// Sums over rows on the CPU, in two stages as in shaders/op_column_sum.comp: sums of blocks of rows
// in ascending order, then the sum of the blocks.  Test: tests/kernels/rows_test.cpp and
// linear_test.cpp.
#pragma once

#include <cstddef>

#include "host/thread_pool.hpp"

namespace awend::host {

/// partial = Σ dy of each block of rows.
struct ColumnSum {
  std::size_t rows;
  std::size_t columns;  ///< A multiple of 4.
  std::size_t block;    ///< Rows of a block; the last one may have fewer.
  const float* dy;      ///< (rows, columns)
  float* partial;       ///< (blocks, columns)
};
void column_sum(ThreadPool& pool, const ColumnSum& sum);

/// partial = Σ dy, then Σ dy · (x − mean) / σ of each block of rows.
struct ColumnSumNorm {
  std::size_t rows;
  std::size_t columns;
  std::size_t block;
  const float* dy;
  const float* x;        ///< (rows, columns)
  const float* moments;  ///< (rows, 2): mean and 1/σ
  float* partial;        ///< (blocks, 2 · columns)
};
void column_sum(ThreadPool& pool, const ColumnSumNorm& sum);

/// gradient += Σ partial.
struct ColumnSumFinal {
  std::size_t blocks;
  std::size_t columns;
  std::size_t stride;    ///< Between the sums of two blocks.
  const float* partial;  ///< (blocks, stride)
  float* gradient;       ///< (columns)
};
void column_sum(const ColumnSumFinal& sum);

}  // namespace awend::host
