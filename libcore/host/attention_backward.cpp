// Highway compiles this file once for each instruction set.
#include "host/attention_backward.hpp"

#include <algorithm>

#include "host/attention_groups.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/attention_backward.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/lanes-inl.h"
#include "host/philox-inl.h"
#include "host/small_product-inl.h"
#include "host/sums-inl.h"
#include "host/tile_gradient-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

void query_gradient(const QueryGradient& g, const RowGroup& group, std::size_t head,
                    float* scratch) {
  TileGradient<true> tiles(g.in, group, head, scratch);
  const std::size_t d_v = g.in.shape.d_v;
  for (std::size_t row = group.first; row < group.end;) {
    const std::size_t rows = rows_of_tile(group.end - row);
    float deltas[kMaxTileRows];
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t at = tiles.at(row + i, d_v);
      deltas[i] = product_sum(g.in.dy + at, g.y + at, d_v);
      g.deltas[tiles.at(row + i, 1)] = deltas[i];
    }
    const auto tile = tiles.score(row, rows, deltas);
    tiles.store_k(tile, g.dq);
    row += rows;
  }
}

void key_gradient(const KeyGradient& g, const RowGroup& group, std::size_t head, float* scratch) {
  TileGradient<false> tiles(g.in, group, head, scratch);
  tiles.set_partners(g.in.log_sum_exp, g.deltas);
  for (std::size_t row = group.first; row < group.end;) {
    const std::size_t rows = rows_of_tile(group.end - row);
    const auto tile = tiles.score(row, rows, nullptr);
    tiles.store_k(tile, g.dk);
    tiles.store_v(tile, g.dv);
    row += rows;
  }
}

AttentionWork work_of(const AttentionShape& shape) {
  return TileGradient<true>::work(shape);
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(query_gradient);
HWY_EXPORT(key_gradient);
HWY_EXPORT(work_of);

void attention_backward(ThreadPool& pool, const QueryGradient& gradient) {
  const auto& shape = gradient.in.shape;
  const auto groups = groups_of(gradient.in.ranges, shape.queries, Shared::kBeginOrEnd);
  const auto work = HWY_DYNAMIC_DISPATCH(work_of)(shape);
  for_groups(pool, groups, work, [&](const RowGroup& group, std::size_t head, float* scratch) {
    HWY_DYNAMIC_DISPATCH(query_gradient)(gradient, group, head, scratch);
  });
}

void attention_backward(ThreadPool& pool, const KeyGradient& gradient) {
  const auto& shape = gradient.in.shape;
  const auto groups = groups_of(gradient.in.ranges, shape.keys, Shared::kBeginOrEnd);
  const auto work = HWY_DYNAMIC_DISPATCH(work_of)(shape);
  for_groups(pool, groups, work, [&](const RowGroup& group, std::size_t head, float* scratch) {
    HWY_DYNAMIC_DISPATCH(key_gradient)(gradient, group, head, scratch);
  });
}

}  // namespace awend::host
#endif
