// Sums over rows on the CPU, in two stages as in shaders/op_column_sum.comp: sums of blocks of rows
// in ascending order, then the sum of the blocks.  Test: tests/unit/host/rows_test.cpp,
// tests/kernels/rows_test.cpp and linear_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include <algorithm>

#include "base/numbers.hpp"
#include "host/rows.hpp"
#include "shaders/op_column_sum.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/column_sum.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

// Rows that are added at a time: few streams of memory, read in order, and partial sums that are
// rarely loaded and stored.
constexpr std::size_t kRowsAtATime = 4;

/// Calls body(first row, rows) for the rows of a block, up to kRowsAtATime at a time.
template <class Body>
HWY_INLINE void for_row_groups(std::size_t begin, std::size_t end, const Body& body) {
  for (std::size_t row = begin; row < end; row += kRowsAtATime)
    body(row, std::min(kRowsAtATime, end - row));
}

void sum_blocks(const ColumnSum& s, std::size_t begin, std::size_t end) {
  for (std::size_t block = begin; block < end; ++block) {
    const std::size_t first = block * COLUMN_SUM_ROWS;
    float* const partial = s.partial + block * s.columns;
    std::fill_n(partial, s.columns, 0.0F);
    for_row_groups(first, std::min(s.rows_count.rows(), first + COLUMN_SUM_ROWS),
                   [&](std::size_t row, std::size_t rows) HWY_ATTR {
                     const float* const dy = s.dy + row * s.columns;
                     for_vectors(s.columns, [&](auto d, std::size_t i) HWY_ATTR {
                       auto sum = hn::LoadU(d, partial + i);
                       for (std::size_t j = 0; j < rows; ++j)
                         sum = hn::Add(sum, hn::LoadU(d, dy + j * s.columns + i));
                       hn::StoreU(sum, d, partial + i);
                     });
                   });
  }
}

void sum_norm_blocks(const ColumnSumNorm& s, std::size_t begin, std::size_t end) {
  for (std::size_t block = begin; block < end; ++block) {
    const std::size_t first = block * COLUMN_SUM_ROWS;
    float* const sums = s.partial + 2 * block * s.columns;
    float* const products = sums + s.columns;
    std::fill_n(sums, 2 * s.columns, 0.0F);
    for_row_groups(
        first, std::min(s.rows_count.rows(), first + COLUMN_SUM_ROWS),
        [&](std::size_t row, std::size_t rows) HWY_ATTR {
          const float* const dy = s.dy + row * s.columns;
          const float* const x = s.x + row * s.columns;
          const float* const moments = s.moments + 2 * row;
          for_vectors(s.columns, [&](auto d, std::size_t i) HWY_ATTR {
            auto sum = hn::LoadU(d, sums + i);
            auto product = hn::LoadU(d, products + i);
            for (std::size_t j = 0; j < rows; ++j) {
              const auto gradient = hn::LoadU(d, dy + j * s.columns + i);
              const auto difference =
                  hn::Sub(hn::LoadU(d, x + j * s.columns + i), hn::Set(d, moments[2 * j]));
              sum = hn::Add(sum, gradient);
              product = hn::MulAdd(gradient, hn::Mul(difference, hn::Set(d, moments[2 * j + 1])),
                                   product);
            }
            hn::StoreU(sum, d, sums + i);
            hn::StoreU(product, d, products + i);
          });
        });
  }
}

void add_blocks(const ColumnSumFinal& s) {
  const std::size_t blocks = base::divide_up(s.rows_count.rows(), std::size_t{COLUMN_SUM_ROWS});
  const std::size_t stride = s.parts * s.columns;
  const float* const partial = s.partial + s.part * s.columns;
  for_vectors(s.columns, [&](auto d, std::size_t i) HWY_ATTR {
    auto sum = hn::Zero(d);
    for (std::size_t block = 0; block < blocks; ++block)
      sum = hn::Add(sum, hn::LoadU(d, partial + block * stride + i));
    hn::StoreU(hn::Add(hn::LoadU(d, s.gradient + i), sum), d, s.gradient + i);
  });
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(sum_blocks);
HWY_EXPORT(sum_norm_blocks);
HWY_EXPORT(add_blocks);

namespace {

/// Calls body(begin, end) for parts of the blocks, whose rows have `columns` columns.
template <class Arguments, class Body>
void for_blocks(ThreadPool& pool, const Arguments& sum, std::size_t columns, const Body& body) {
  const std::size_t rows = sum.rows_count.rows();
  const std::size_t blocks = base::divide_up(rows, std::size_t{COLUMN_SUM_ROWS});
  for_rows(pool, blocks, COLUMN_SUM_ROWS * columns, body);
}

}  // namespace

void column_sum(ThreadPool& pool, const ColumnSum& sum) {
  for_blocks(pool, sum, sum.columns, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(sum_blocks)(sum, begin, end);
  });
}

void column_sum_norm(ThreadPool& pool, const ColumnSumNorm& sum) {
  for_blocks(pool, sum, 2 * sum.columns, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(sum_norm_blocks)(sum, begin, end);
  });
}

void column_sum_final(ThreadPool&, const ColumnSumFinal& sum) {
  HWY_DYNAMIC_DISPATCH(add_blocks)(sum);
}

}  // namespace awend::host
#endif
