// Gradients of attention on the CPU; the formulas are in shaders/op_attention_backward.comp.
// Test: tests/unit/host/attention_test.cpp, tests/kernels/attention_test.cpp.
//
// Highway compiles this file once for each instruction set.

#include "host/attention_groups.hpp"
#include "shaders/op_attention_backward.h"
#include "shaders/op_attention_bias.h"

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

template <class Arguments>
void gradient_of_queries(const Arguments& g, const RowGroup& group, std::size_t head,
                         float* scratch) {
  TileGradient tiles(g, group, head, scratch);
  const std::size_t d_v = g.d_v;
  for (std::size_t row = group.first; row < group.end;) {
    const std::size_t rows = rows_of_tile(group.end - row);
    float deltas[kMaxTileRows];
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t at = tiles.at(row + i, d_v);
      deltas[i] = product_sum(g.dy + at, g.y + at, d_v);
      g.deltas[tiles.at(row + i, 1)] = deltas[i];
    }
    const auto tile = tiles.score(row, rows, deltas);
    tiles.store_k(tile, g.dq);
    row += rows;
  }
}

template <class Arguments>
void gradient_of_keys(const Arguments& g, const RowGroup& group, std::size_t head, float* scratch) {
  TileGradient tiles(g, group, head, scratch);
  tiles.set_other_rows(g.log_sum_exp, g.deltas);
  for (std::size_t row = group.first; row < group.end;) {
    const std::size_t rows = rows_of_tile(group.end - row);
    const auto tile = tiles.score(row, rows, nullptr);
    tiles.store_k(tile, g.dk);
    tiles.store_v(tile, g.dv);
    row += rows;
  }
}

void query_gradient(const AttentionBackwardQuery& g, const RowGroup& group, std::size_t head,
                    float* scratch) {
  gradient_of_queries(g, group, head, scratch);
}

void key_gradient(const AttentionBackwardKey& g, const RowGroup& group, std::size_t head,
                  float* scratch) {
  gradient_of_keys(g, group, head, scratch);
}

void biased_query_gradient(const AttentionBiasedQuery& g, const RowGroup& group, std::size_t head,
                           float* scratch) {
  gradient_of_queries(g, group, head, scratch);
}

void biased_key_gradient(const AttentionBiasedKey& g, const RowGroup& group, std::size_t head,
                         float* scratch) {
  gradient_of_keys(g, group, head, scratch);
}

/// The sums of the score gradients of each query by bucket.
void bias_gradient(const AttentionBias& g, const RowGroup& group, std::size_t head,
                   float* scratch) {
  TileGradient tiles(g, group, head, scratch);
  for (std::size_t row = group.first; row < group.end;) {
    const std::size_t rows = rows_of_tile(group.end - row);
    float deltas[kMaxTileRows];
    for (std::size_t i = 0; i < rows; ++i) deltas[i] = g.deltas[tiles.at(row + i, 1)];
    tiles.score(row, rows, deltas);
    for (std::size_t i = 0; i < rows; ++i) {
      float* const sums = g.sums + (row + i) * g.bucket_count * g.heads + head;
      for (std::size_t bucket = 0; bucket < g.bucket_count; ++bucket) sums[bucket * g.heads] = 0;
      const float* const gradients = tiles.score_gradients(i);
      for (std::size_t key = tiles.begin_of(row + i); key < tiles.end_of(row + i); ++key)
        sums[bucket_of(g, tiles.distance(row + i, key)) * g.heads] += gradients[key];
    }
    row += rows;
  }
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(query_gradient);
HWY_EXPORT(key_gradient);
HWY_EXPORT(biased_query_gradient);
HWY_EXPORT(biased_key_gradient);
HWY_EXPORT(bias_gradient);

namespace {

/// The work of TileGradient, and its memory.
template <class Arguments>
AttentionWork work_of(const Arguments& arguments) {
  const std::size_t d_k = arguments.d_k, d_v = arguments.d_v;
  const std::size_t width = padded(d_k) + padded(d_v);
  return {.heads = arguments.heads,
          .width = 2 * (d_k + d_v),
          .scratch = d_k + d_v + width + 2 * kMaxTileRows + 2 + GroupBiases<Arguments>::kScratch,
          .extra = kMaxTileRows * width + GroupBiases<Arguments>::kExtra};
}

/// Calls body(group, head, scratch) for all groups of rows, which are queries or keys.
template <class Arguments, class Body>
void for_own_rows(ThreadPool& pool, const Arguments& arguments, const Body& body) {
  const auto groups = groups_of(arguments.ranges, arguments.rows_count.rows());
  for_groups(pool, groups, work_of(arguments), body);
}

}  // namespace

void attention_backward_query(ThreadPool& pool, const AttentionBackwardQuery& gradient) {
  for_own_rows(pool, gradient, [&](const RowGroup& group, std::size_t head, float* scratch) {
    HWY_DYNAMIC_DISPATCH(query_gradient)(gradient, group, head, scratch);
  });
}

void attention_backward_key(ThreadPool& pool, const AttentionBackwardKey& gradient) {
  for_own_rows(pool, gradient, [&](const RowGroup& group, std::size_t head, float* scratch) {
    HWY_DYNAMIC_DISPATCH(key_gradient)(gradient, group, head, scratch);
  });
}

void attention_biased_query(ThreadPool& pool, const AttentionBiasedQuery& gradient) {
  for_own_rows(pool, gradient, [&](const RowGroup& group, std::size_t head, float* scratch) {
    HWY_DYNAMIC_DISPATCH(biased_query_gradient)(gradient, group, head, scratch);
  });
}

void attention_biased_key(ThreadPool& pool, const AttentionBiasedKey& gradient) {
  for_own_rows(pool, gradient, [&](const RowGroup& group, std::size_t head, float* scratch) {
    HWY_DYNAMIC_DISPATCH(biased_key_gradient)(gradient, group, head, scratch);
  });
}

void attention_bias(ThreadPool& pool, const AttentionBias& gradient) {
  for_own_rows(pool, gradient, [&](const RowGroup& group, std::size_t head, float* scratch) {
    HWY_DYNAMIC_DISPATCH(bias_gradient)(gradient, group, head, scratch);
  });
}

}  // namespace awend::host
#endif
