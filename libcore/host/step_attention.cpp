// Attention of one step of a recurrent decoder on the CPU; the formulas are in
// shaders/op_step_attention.comp and op_step_attention_keys.comp.
//
// Rows are those of recurrent.cpp.
// Test: tests/unit/host/step_attention_test.cpp, tests/kernels/step_attention_test.cpp.
//
// Highway compiles this file once for each instruction set.
#include <algorithm>
#include <cmath>
#include <vector>

#include "host/rows.hpp"
#include "shaders/op_step_attention.h"
#include "shaders/op_step_attention_keys.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/step_attention.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "host/lanes-inl.h"
#include "host/math-inl.h"
#include "host/softmax-inl.h"
#include "host/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {
namespace {

template <class Arguments>
HWY_INLINE bool uses_softmax(const Arguments& t) {
  return t.switched == 0 || t.softmax[0] != 0;
}

HWY_INLINE float score_of(const StepAttention& t, const float* q, const float* k) {
  if (t.additive == 0) return dot(t.columns, q, k);
  return sum_over(t.columns, [&](auto d, std::size_t i) HWY_ATTR {
    const auto squashed = hyperbolic(d, hn::Add(hn::LoadU(d, q + i), hn::LoadU(d, k + i)));
    return hn::Mul(hn::LoadU(d, t.v + i), squashed);
  });
}

/// The keys of a row that have weights, and the center of its window.
struct Window {
  std::size_t first, end;
  float center;
};

template <class Arguments>
HWY_INLINE Window window_of(const Arguments& t, std::size_t row, std::size_t keys) {
  if (t.window == 0) return {0, keys, 0};
  const float center = t.centers[row], width = static_cast<float>(t.window);
  const float low = std::ceil(center - width), high = std::floor(center + width);
  return {
      low > 0 ? static_cast<std::size_t>(low) : 0,
      high < static_cast<float>(keys) ? std::min(static_cast<std::size_t>(high) + 1, keys) : keys,
      center};
}

/// The factor of the weight of a key.
template <class Arguments>
HWY_INLINE float gaussian(const Arguments& t, std::size_t key, float center) {
  if (t.gaussian == 0) return 1;
  const Four d;
  const float distance =
      2 * (static_cast<float>(key) - center) / static_cast<float>(t.window);  // in σ
  return hn::GetLane(exponential(d, hn::Set(d, -0.5F * distance * distance)));
}

void attend_rows(const StepAttention& t, std::size_t begin, std::size_t end) {
  const std::size_t columns = t.columns, value_columns = t.value_columns;
  const std::uint32_t* const table = t.table + t.rows_count.first();
  std::vector<float> own;
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t row = table[i];
    const std::size_t first = t.ranges[2 * row];
    const std::size_t keys = t.ranges[2 * row + 1] - first;
    const float* const q = t.q + i * columns;
    const bool keeps = t.keep != 0;
    if (!keeps) own.resize(std::max(own.size(), keys));
    const std::span weights(keeps ? t.weights + row * t.stride : own.data(), keys);
    const Window window = window_of(t, row, keys);
    if (t.window != 0) std::ranges::fill(weights, 0.0F);
    for (std::size_t key = window.first; key < window.end; ++key)
      weights[key] = score_of(t, q, t.k + (first + key) * columns);
    const auto of_window = weights.subspan(window.first, window.end - window.first);
    if (uses_softmax(t) && keys > 0)
      softmax(of_window, std::max<std::size_t>(t.slots, keys) - keys);
    for (std::size_t key = window.first; key < window.end && t.gaussian != 0; ++key)
      weights[key] *= gaussian(t, key, window.center);
    const auto row_of = [&](std::size_t key) {
      return t.values + (first + window.first + key) * value_columns;
    };
    const auto write = [&](auto d, std::size_t column, auto sum) HWY_ATTR {
      hn::StoreU(sum, d, t.context + i * value_columns + column);
      hn::StoreU(sum, d, t.contexts + row * value_columns + column);
    };
    for_weighted_sums(value_columns, of_window, row_of, write);
    if (keeps) std::copy_n(q, columns, t.queries + row * columns);
  }
}

/// The gradients of the scores of one row.
HWY_INLINE void differentiate_softmax(const StepAttentionBackward& t, std::size_t row) {
  const std::size_t value_columns = t.value_columns, stride = t.stride;
  const std::size_t first = t.ranges[2 * row];
  const std::size_t keys = t.ranges[2 * row + 1] - first;
  const float* const weights = t.weights + row * stride;
  float* const dscores = t.dscores + row * stride;
  const auto [first_key, end_key, center] = window_of(t, row, keys);
  if (t.window != 0) std::fill_n(dscores, keys, 0.0F);
  float mean = 0;
  for (std::size_t key = first_key; key < end_key; ++key) {
    dscores[key] = dot(value_columns, t.dcontexts + row * value_columns,
                       t.values + (first + key) * value_columns);
    mean += dscores[key] * weights[key];
  }
  if (t.gaussian != 0) {
    float dcenter = 0;
    for (std::size_t key = first_key; key < end_key; ++key)
      dcenter += dscores[key] * weights[key] * (static_cast<float>(key) - center);
    t.dcenters[row] = 4 * dcenter / static_cast<float>(t.window * t.window);
  }
  if (!uses_softmax(t)) return;
  // A weight is a share of the softmax times the factor of the key, which is not 0.
  for (std::size_t key = first_key; key < end_key; ++key)
    dscores[key] = weights[key] * (dscores[key] - mean / gaussian(t, key, center));
}

void differentiate_rows(const StepAttentionBackward& t, std::size_t begin, std::size_t end) {
  const std::size_t columns = t.columns;
  const std::uint32_t* const table = t.table + t.rows_count.first();
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t row = table[i];
    differentiate_softmax(t, row);
    const std::size_t first = t.ranges[2 * row];
    const std::size_t keys = t.ranges[2 * row + 1] - first;
    const float* const dscores = t.dscores + row * t.stride;
    const Window window = window_of(t, row, keys);
    for_vectors(columns, [&](auto d, std::size_t column) HWY_ATTR {
      auto sum = hn::Zero(d);
      for (std::size_t key = window.first; key < window.end; ++key) {
        const auto gradient = hn::Set(d, dscores[key]);
        const auto k = hn::LoadU(d, t.k + (first + key) * columns + column);
        if (t.additive == 0) {
          sum = hn::MulAdd(gradient, k, sum);
          continue;
        }
        const auto q = hn::LoadU(d, t.queries + row * columns + column);
        const auto squashed = hyperbolic(d, hn::Add(q, k));
        const auto rest = hn::NegMulAdd(squashed, squashed, hn::Set(d, 1.0F));
        sum = hn::MulAdd(hn::Mul(gradient, hn::LoadU(d, t.v + column)), rest, sum);
      }
      hn::StoreU(sum, d, t.dqueries + row * columns + column);
      float* const dq = t.dq + i * columns + column;
      hn::StoreU(t.add != 0 ? hn::Add(hn::LoadU(d, dq), sum) : sum, d, dq);
    });
  }
}

void differentiate_keys(const StepAttentionKeys& t, std::size_t begin, std::size_t end) {
  const std::size_t columns = t.columns;
  for (std::size_t row = begin; row < end; ++row) {
    const auto gradient_of = [&](std::size_t query) {
      return t.dscores[query * t.stride + row - t.keys_of_query[2 * query]];
    };
    for_vectors(columns, [&](auto d, std::size_t column) HWY_ATTR {
      const std::size_t at = row * columns + column;
      auto sum = hn::Zero(d), dv = hn::Zero(d);
      for (std::size_t query = t.queries_of_key[2 * row]; query < t.queries_of_key[2 * row + 1];
           ++query) {
        const auto gradient = hn::Set(d, gradient_of(query));
        const auto q = hn::LoadU(d, t.queries + query * columns + column);
        if (t.additive == 0) {
          sum = hn::MulAdd(gradient, q, sum);
          continue;
        }
        const auto squashed = hyperbolic(d, hn::Add(q, hn::LoadU(d, t.k + at)));
        const auto rest = hn::NegMulAdd(squashed, squashed, hn::Set(d, 1.0F));
        sum = hn::MulAdd(hn::Mul(gradient, hn::LoadU(d, t.v + column)), rest, sum);
        dv = hn::MulAdd(gradient, squashed, dv);
      }
      hn::StoreU(t.add != 0 ? hn::Add(hn::LoadU(d, t.dk + at), sum) : sum, d, t.dk + at);
      if (t.additive != 0) hn::StoreU(dv, d, t.dv + at);
    });
  }
}

void differentiate_values(const StepAttentionValues& t, std::size_t begin, std::size_t end) {
  const std::size_t columns = t.columns;
  for (std::size_t row = begin; row < end; ++row) {
    for_vectors(columns, [&](auto d, std::size_t column) HWY_ATTR {
      auto sum = hn::Zero(d);
      for (std::size_t query = t.queries_of_key[2 * row]; query < t.queries_of_key[2 * row + 1];
           ++query) {
        const float weight = t.weights[query * t.stride + row - t.keys_of_query[2 * query]];
        const float* const dcontext = t.dcontexts + query * columns + column;
        sum = hn::MulAdd(hn::Set(d, weight), hn::LoadU(d, dcontext), sum);
      }
      float* const dvalue = t.dvalues + row * columns + column;
      hn::StoreU(t.add != 0 ? hn::Add(hn::LoadU(d, dvalue), sum) : sum, d, dvalue);
    });
  }
}

}  // namespace
}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace awend::host {

HWY_EXPORT(attend_rows);
HWY_EXPORT(differentiate_rows);
HWY_EXPORT(differentiate_keys);
HWY_EXPORT(differentiate_values);

namespace {

// A sentence has about this many words; tanh takes as long as reading some floats.
constexpr std::size_t kKeys = 16;

/// The floats that are read for the scores of one row.
template <class Arguments>
std::size_t floats_of_scores(const Arguments& t) {
  return kKeys * (t.additive != 0 ? 8 : 1) * t.columns;
}

}  // namespace

void step_attention(ThreadPool& pool, const StepAttention& attention) {
  for_rows(pool, attention.rows_count.rows(),
           floats_of_scores(attention) + kKeys * attention.value_columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(attend_rows)(attention, begin, end);
           });
}

void step_attention_backward(ThreadPool& pool, const StepAttentionBackward& backward) {
  for_rows(pool, backward.rows_count.rows(),
           floats_of_scores(backward) + kKeys * backward.value_columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(differentiate_rows)(backward, begin, end);
           });
}

void step_attention_keys(ThreadPool& pool, const StepAttentionKeys& keys) {
  for_rows(pool, keys.rows_count.rows(), floats_of_scores(keys),
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(differentiate_keys)(keys, begin, end);
           });
}

void step_attention_values(ThreadPool& pool, const StepAttentionValues& values) {
  for_rows(pool, values.rows_count.rows(), kKeys * values.columns,
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(differentiate_values)(values, begin, end);
           });
}

}  // namespace awend::host
#endif
