// Operations of a decoding step on the CPU; the formulas are in shaders/op_attention_cached.comp,
// op_store_rows.comp, op_adjust.comp and op_restrict_tokens.comp.
// Test: tests/unit/host/operations_test.cpp, step_attention_test.cpp,
// tests/kernels/decoding_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "host/relative_bias.hpp"
#include "host/rows.hpp"
#include "shaders/op_adjust.h"
#include "shaders/op_attention_cached.h"
#include "shaders/op_restrict_tokens.h"
#include "shaders/op_store_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/decoding.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/softmax-inl.h"
#include "host/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

/// The scores of one row become weights: (heads, keys), all of a head in order.
template <class Arguments>
void score(const Arguments& t, std::size_t row, std::span<float> weights) {
  const std::uint32_t* const ancestors = t.ancestors + t.past[2 * row];
  const std::size_t keys = t.past[2 * row + 1] - t.past[2 * row];
  const float* const q = t.q + row * t.heads * t.d_k;
  const float scale = 1.0F / std::sqrt(static_cast<float>(t.d_k));
  for (std::size_t key = 0; key < keys; ++key) {
    const float* const k = t.k + std::size_t{ancestors[key]} * t.heads * t.d_k;
    for (std::size_t head = 0; head < t.heads; ++head) {
      float& weight = weights[head * keys + key];
      weight = scale * dot(t.d_k, q + head * t.d_k, k + head * t.d_k);
      // The last key is that of the query.
      if constexpr (kHasBias<Arguments>)
        weight += bias_of(
            t, static_cast<std::ptrdiff_t>(key) - static_cast<std::ptrdiff_t>(keys - 1), head);
    }
  }
  for (std::size_t head = 0; head < t.heads; ++head) softmax(weights.subspan(head * keys, keys));
}

template <class Arguments>
void attend_rows(const Arguments& t, std::size_t begin, std::size_t end) {
  std::vector<float> weights;
  for (std::size_t row = begin; row < end; ++row) {
    const std::uint32_t* const ancestors = t.ancestors + t.past[2 * row];
    const std::size_t keys = t.past[2 * row + 1] - t.past[2 * row];
    weights.resize(t.heads * keys);
    score(t, row, weights);
    float* const y = t.y + row * t.heads * t.d_v;
    for (std::size_t head = 0; head < t.heads; ++head) {
      const auto of_head = std::span(weights).subspan(head * keys, keys);
      const auto row_of = [&](std::size_t key) {
        return t.v + (std::size_t{ancestors[key]} * t.heads + head) * t.d_v;
      };
      for_weighted_sums(t.d_v, of_head, row_of, [&](auto d, std::size_t i, auto sum) HWY_ATTR {
        hn::StoreU(sum, d, y + head * t.d_v + i);
      });
    }
  }
}

void attend(const AttentionCached& t, std::size_t begin, std::size_t end) {
  attend_rows(t, begin, end);
}

void attend_biased(const AttentionCachedBiased& t, std::size_t begin, std::size_t end) {
  attend_rows(t, begin, end);
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(attend);
HWY_EXPORT(attend_biased);

namespace {

/// Calls body(begin, end) for parts of the queries.
template <class Arguments, class Body>
void for_queries(ThreadPool& pool, const Arguments& attention, const Body& body) {
  const std::size_t rows = attention.rows_count.rows();
  std::size_t keys = 0;
  for (std::size_t row = 0; row < rows; ++row)
    keys += attention.past[2 * row + 1] - attention.past[2 * row];
  const std::size_t width = attention.heads * (attention.d_k + attention.d_v);
  const std::size_t floats = keys * width / std::max<std::size_t>(rows, 1);
  for_rows(pool, rows, floats, body);
}

}  // namespace

void attention_cached(ThreadPool& pool, const AttentionCached& attention) {
  for_queries(pool, attention, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(attend)(attention, begin, end);
  });
}

void attention_cached_biased(ThreadPool& pool, const AttentionCachedBiased& attention) {
  for_queries(pool, attention, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(attend_biased)(attention, begin, end);
  });
}

void store_rows(ThreadPool&, const StoreRows& stored) {
  for (std::size_t row = 0; row < stored.rows_count.rows(); ++row) {
    std::copy_n(stored.x + row * stored.columns, stored.columns,
                stored.cache + std::size_t{stored.places[row]} * stored.columns);
  }
}

void restrict_tokens(ThreadPool& pool, const RestrictTokens& restricted) {
  const std::size_t columns = restricted.columns, words = (columns + 31) / 32;
  for_rows(pool, restricted.rows_count.rows(), columns, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const std::uint32_t* const allowed = restricted.allowed + row * words;
      float* const logits = restricted.logits + row * columns;
      for (std::size_t i = 0; i < columns; ++i) {
        if ((allowed[i / 32] >> (i % 32) & 1) == 0) logits[i] = restricted.masked;
      }
    }
  });
}

void adjust(ThreadPool&, const Adjust& adjusted) {
  for (std::size_t row = 0; row < adjusted.rows_count.rows(); ++row) {
    float* const logits = adjusted.logits + row * adjusted.columns;
    for (std::size_t i = adjusted.ranges[2 * row]; i < adjusted.ranges[2 * row + 1]; ++i) {
      const std::uint32_t id = adjusted.changes[2 * i];
      const float amount = std::bit_cast<float>(adjusted.changes[2 * i + 1]);
      float& logit = logits[id & ~ADJUST_REPEATED];
      if ((id & ADJUST_REPEATED) == 0) {
        logit += amount;
      } else {
        logit = logit > 0 ? logit / amount : logit * amount;
      }
    }
  }
}

}  // namespace awend::host
#endif
