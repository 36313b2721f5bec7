// Copies of rows, and dropout with masks from a table, on the CPU; the rules are in
// shaders/op_move_rows.comp and op_row_dropout.comp.
// Test: tests/unit/host/operations_test.cpp, tests/kernels/recurrent_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include <algorithm>

#include "host/rows.hpp"
#include "shaders/lib/tokens.h"
#include "shaders/op_move_rows.h"
#include "shaders/op_row_dropout.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/move_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/lanes-inl.h"
#include "host/philox-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

void drop_rows(const RowDropout& t, std::size_t begin, std::size_t end) {
  const std::optional dropout = Dropout::of(t);
  const std::uint32_t* const masks = t.masks + t.rows_count.first();
  for (std::size_t row = begin; row < end; ++row) {
    const std::size_t at = row * t.columns;
    const auto group = static_cast<std::uint32_t>(masks[row] * (t.columns / 4));
    for_factors(dropout, group, t.columns, [&](auto d, std::size_t i, auto factor) HWY_ATTR {
      auto value = hn::Mul(hn::LoadU(d, t.a + at + i), factor);
      if (t.has_x != 0) value = hn::Add(value, hn::LoadU(d, t.x + at + i));
      if (t.add != 0) value = hn::Add(value, hn::LoadU(d, t.y + at + i));
      hn::StoreU(value, d, t.y + at + i);
    });
  }
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(drop_rows);

namespace {

void move_row(const MoveRows& t, std::size_t i) {
  const std::uint32_t* const table = t.table + t.rows_count.first();
  const std::size_t from = t.gather == 0 ? i : table[i];
  const std::size_t to = t.scatter == 0 ? i : table[i];
  if (from == NO_TOKEN || to == NO_TOKEN) return;
  float* const y = t.y + to * t.y_columns + t.y_offset;
  if (t.zero != 0) {
    if (t.add == 0) std::fill_n(y, t.width, 0.0F);
    return;
  }
  const float* const x = t.x + from * t.x_columns + t.x_offset;
  if (t.add == 0) {
    std::copy_n(x, t.width, y);
  } else {
    for (std::size_t column = 0; column < t.width; ++column) y[column] += x[column];
  }
}

}  // namespace

void move_rows(ThreadPool& pool, const MoveRows& move) {
  // Rows of y are distinct, or leave their row as it is.
  for_rows(pool, move.rows_count.rows(), move.width, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) move_row(move, i);
  });
}

void row_dropout(ThreadPool& pool, const RowDropout& dropout) {
  for_rows(pool, dropout.rows_count.rows(), 4 * dropout.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(drop_rows)(dropout, begin, end);
           });
}

}  // namespace awend::host
#endif
