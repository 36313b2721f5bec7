// Highway compiles this file once for each instruction set.
#include "host/move_rows.hpp"

#include <algorithm>

#include "host/rows.hpp"

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
  for (std::size_t row = begin; row < end; ++row) {
    const std::size_t at = row * t.columns;
    const auto group = static_cast<std::uint32_t>(t.masks[row] * (t.columns / 4));
    for_factors(&t.dropout, group, t.columns, [&](auto d, std::size_t i, auto factor) HWY_ATTR {
      auto value = hn::Mul(hn::LoadU(d, t.a + at + i), factor);
      if (t.x != nullptr) value = hn::Add(value, hn::LoadU(d, t.x + at + i));
      if (t.store == Store::kAdd) value = hn::Add(value, hn::LoadU(d, t.y + at + i));
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
  const std::size_t from = t.from == nullptr ? i : t.from[i];
  const std::size_t to = t.to == nullptr ? i : t.to[i];
  if (from == t.no_token || to == t.no_token) return;
  float* const y = t.y + to * t.y_columns.stride + t.y_columns.offset;
  if (t.x == nullptr) {
    if (t.store == Store::kWrite) std::fill_n(y, t.width, 0.0F);
    return;
  }
  const float* const x = t.x + from * t.x_columns.stride + t.x_columns.offset;
  if (t.store == Store::kWrite) {
    std::copy_n(x, t.width, y);
  } else {
    for (std::size_t column = 0; column < t.width; ++column) y[column] += x[column];
  }
}

}  // namespace

void move_rows(ThreadPool& pool, const MoveRows& move) {
  // Rows of y are distinct, or leave their row as it is.
  for_rows(pool, move.rows, move.width, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) move_row(move, i);
  });
}

void row_dropout(ThreadPool& pool, const RowDropout& dropout) {
  for_rows(pool, dropout.rows, 4 * dropout.columns, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(drop_rows)(dropout, begin, end);
  });
}

}  // namespace awend::host
#endif
