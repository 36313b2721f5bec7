// The weights of an attention on the CPU; the formulas are in shaders/op_attention_weights.comp.
// Test: tests/unit/host/step_attention_test.cpp, tests/kernels/attention_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include <cmath>

#include "host/relative_bias.hpp"
#include "host/rows.hpp"
#include "shaders/op_attention_weights.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/attention_weights.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/lanes-inl.h"
#include "host/math-inl.h"
#include "host/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

/// The weights of one query and head.
template <class Arguments>
void weigh(const Arguments& t, std::size_t row, std::size_t head) {
  const std::size_t own = row * t.heads + head;
  const std::size_t begin = t.key_ranges[2 * row], end = t.key_ranges[2 * row + 1];
  if (end <= begin) return;
  float* const weights = t.weights + own * t.stride;
  for (std::size_t key = begin; key < end; ++key) {
    weights[key - begin] =
        product_sum(t.q + own * t.d_k, t.k + (key * t.heads + head) * t.d_k, t.d_k);
    // Before the division by √d_k.
    if constexpr (kHasBias<Arguments>) {
      const auto distance = static_cast<std::ptrdiff_t>(key) - static_cast<std::ptrdiff_t>(row);
      weights[key - begin] += bias_of(t, distance, head) * std::sqrt(static_cast<float>(t.d_k));
    }
  }
  const float root = 1.0F / std::sqrt(static_cast<float>(t.d_k));
  const std::size_t count = end - begin, whole = count / 4 * 4;
  const auto weight = [&](auto d, auto score) HWY_ATTR {
    return exponential(d, hn::MulSub(score, hn::Set(d, root), hn::Set(d, t.log_sum_exp[own])));
  };
  for_vectors(whole, [&](auto d, std::size_t i) HWY_ATTR {
    hn::StoreU(weight(d, hn::LoadU(d, weights + i)), d, weights + i);
  });
  const hn::CappedTag<float, 1> one;
  for (std::size_t i = whole; i < count; ++i)
    weights[i] = hn::GetLane(weight(one, hn::Set(one, weights[i])));
}

void weigh_rows(const AttentionWeights& t, std::size_t begin, std::size_t end) {
  for (std::size_t row = begin; row < end; ++row) {
    for (std::size_t head = 0; head < t.heads; ++head) weigh(t, row, head);
  }
}

void weigh_biased_rows(const AttentionWeightsBiased& t, std::size_t begin, std::size_t end) {
  for (std::size_t row = begin; row < end; ++row) {
    for (std::size_t head = 0; head < t.heads; ++head) weigh(t, row, head);
  }
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(weigh_rows);
HWY_EXPORT(weigh_biased_rows);

namespace {

/// Calls body(begin, end) for parts of the queries.
template <class Arguments, class Body>
void for_queries(ThreadPool& pool, const Arguments& attention, const Body& body) {
  const std::size_t floats = attention.heads * attention.d_k * attention.stride / 16;
  for_rows(pool, attention.rows_count.rows(), floats, body);
}

}  // namespace

void attention_weights(ThreadPool& pool, const AttentionWeights& attention) {
  for_queries(pool, attention, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(weigh_rows)(attention, begin, end);
  });
}

void attention_weights_biased(ThreadPool& pool, const AttentionWeightsBiased& attention) {
  for_queries(pool, attention, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(weigh_biased_rows)(attention, begin, end);
  });
}

}  // namespace awend::host
#endif
