// Highway compiles this file once for each instruction set.
#include "host/step_attention.hpp"

#include <algorithm>
#include <vector>

#include "host/rows.hpp"

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

HWY_INLINE float score_of(const StepAttention& t, const float* q, const float* k) {
  if (t.attended.score == Score::kProduct) return dot(t.attended.columns, q, k);
  return sum_over(t.attended.columns, [&](auto d, std::size_t i) HWY_ATTR {
    const auto squashed = hyperbolic(d, hn::Add(hn::LoadU(d, q + i), hn::LoadU(d, k + i)));
    return hn::Mul(hn::LoadU(d, t.v + i), squashed);
  });
}

void attend_rows(const StepAttention& t, std::size_t begin, std::size_t end) {
  const auto [score, columns, value_columns, stride, kind] = t.attended;
  std::vector<float> own;
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t row = t.step.table[i];
    const std::size_t first = t.ranges[2 * row];
    const std::size_t keys = t.ranges[2 * row + 1] - first;
    const float* const q = t.q + i * columns;
    const bool keeps = t.queries != nullptr;
    if (!keeps) own.resize(std::max(own.size(), keys));
    const std::span weights(keeps ? t.weights + row * stride : own.data(), keys);
    for (std::size_t key = 0; key < keys; ++key)
      weights[key] = score_of(t, q, t.k + (first + key) * columns);
    if (kind == Attended::Weights::kSoftmax && keys > 0) softmax(weights);
    for_vectors(value_columns, [&](auto d, std::size_t column) HWY_ATTR {
      auto sum = hn::Zero(d);
      for (std::size_t key = 0; key < keys; ++key) {
        const float* const value = t.values + (first + key) * value_columns + column;
        sum = hn::MulAdd(hn::Set(d, weights[key]), hn::LoadU(d, value), sum);
      }
      hn::StoreU(sum, d, t.context + i * value_columns + column);
      hn::StoreU(sum, d, t.contexts + row * value_columns + column);
    });
    if (keeps) std::copy_n(q, columns, t.queries + row * columns);
  }
}

/// The gradients of the scores of one row.
HWY_INLINE void differentiate_softmax(const StepAttentionBackward& t, std::size_t row) {
  const auto [score, columns, value_columns, stride, kind] = t.attended;
  const std::size_t first = t.ranges[2 * row];
  const std::size_t keys = t.ranges[2 * row + 1] - first;
  const float* const weights = t.weights + row * stride;
  float* const dscores = t.dscores + row * stride;
  float mean = 0;
  for (std::size_t key = 0; key < keys; ++key) {
    dscores[key] = dot(value_columns, t.dcontexts + row * value_columns,
                       t.values + (first + key) * value_columns);
    mean += dscores[key] * weights[key];
  }
  if (kind == Attended::Weights::kScores) return;
  for (std::size_t key = 0; key < keys; ++key) dscores[key] = weights[key] * (dscores[key] - mean);
}

void differentiate_rows(const StepAttentionBackward& t, std::size_t begin, std::size_t end) {
  const auto [score, columns, value_columns, stride, kind] = t.attended;
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t row = t.step.table[i];
    differentiate_softmax(t, row);
    const std::size_t first = t.ranges[2 * row];
    const std::size_t keys = t.ranges[2 * row + 1] - first;
    const float* const dscores = t.dscores + row * stride;
    for_vectors(columns, [&](auto d, std::size_t column) HWY_ATTR {
      auto sum = hn::Zero(d);
      for (std::size_t key = 0; key < keys; ++key) {
        const auto slope = hn::Set(d, dscores[key]);
        const auto k = hn::LoadU(d, t.k + (first + key) * columns + column);
        if (score == Score::kProduct) {
          sum = hn::MulAdd(slope, k, sum);
          continue;
        }
        const auto q = hn::LoadU(d, t.queries + row * columns + column);
        const auto squashed = hyperbolic(d, hn::Add(q, k));
        const auto rest = hn::NegMulAdd(squashed, squashed, hn::Set(d, 1.0F));
        sum = hn::MulAdd(hn::Mul(slope, hn::LoadU(d, t.v + column)), rest, sum);
      }
      hn::StoreU(sum, d, t.dqueries + row * columns + column);
      float* const dq = t.dq + i * columns + column;
      hn::StoreU(t.store == Store::kAdd ? hn::Add(hn::LoadU(d, dq), sum) : sum, d, dq);
    });
  }
}

void differentiate_keys(const StepAttentionKeys& t, std::size_t begin, std::size_t end) {
  const auto [score, columns, value_columns, stride, kind] = t.attended;
  for (std::size_t row = begin; row < end; ++row) {
    const auto slope_of = [&](std::size_t query) {
      return t.dscores[query * stride + row - t.keys_of_query[2 * query]];
    };
    for_vectors(columns, [&](auto d, std::size_t column) HWY_ATTR {
      const std::size_t at = row * columns + column;
      auto sum = hn::Zero(d), dv = hn::Zero(d);
      for (std::size_t query = t.queries_of_key[2 * row]; query < t.queries_of_key[2 * row + 1];
           ++query) {
        const auto slope = hn::Set(d, slope_of(query));
        const auto q = hn::LoadU(d, t.queries + query * columns + column);
        if (score == Score::kProduct) {
          sum = hn::MulAdd(slope, q, sum);
          continue;
        }
        const auto squashed = hyperbolic(d, hn::Add(q, hn::LoadU(d, t.k + at)));
        const auto rest = hn::NegMulAdd(squashed, squashed, hn::Set(d, 1.0F));
        sum = hn::MulAdd(hn::Mul(slope, hn::LoadU(d, t.v + column)), rest, sum);
        dv = hn::MulAdd(slope, squashed, dv);
      }
      hn::StoreU(t.store == Store::kAdd ? hn::Add(hn::LoadU(d, t.dk + at), sum) : sum, d,
                 t.dk + at);
      if (score == Score::kAdditive) hn::StoreU(dv, d, t.dv + at);
    });
  }
}

void differentiate_values(const StepAttentionValues& t, std::size_t begin, std::size_t end) {
  const auto [score, columns, value_columns, stride, kind] = t.attended;
  for (std::size_t row = begin; row < end; ++row) {
    for_vectors(value_columns, [&](auto d, std::size_t column) HWY_ATTR {
      auto sum = hn::Zero(d);
      for (std::size_t query = t.queries_of_key[2 * row]; query < t.queries_of_key[2 * row + 1];
           ++query) {
        const float weight = t.weights[query * stride + row - t.keys_of_query[2 * query]];
        const float* const dcontext = t.dcontexts + query * value_columns + column;
        sum = hn::MulAdd(hn::Set(d, weight), hn::LoadU(d, dcontext), sum);
      }
      float* const dvalue = t.dvalues + row * value_columns + column;
      hn::StoreU(t.store == Store::kAdd ? hn::Add(hn::LoadU(d, dvalue), sum) : sum, d, dvalue);
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

std::size_t floats_of(const Attended& attended) {
  const std::size_t of_score = attended.score == Score::kAdditive ? 8 : 1;
  return kKeys * (of_score * attended.columns + attended.value_columns);
}

}  // namespace

void step_attention(ThreadPool& pool, const StepAttention& attention) {
  for_rows(pool, attention.step.rows, floats_of(attention.attended),
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(attend_rows)(attention, begin, end);
           });
}

void step_attention_backward(ThreadPool& pool, const StepAttentionBackward& backward) {
  for_rows(pool, backward.step.rows, floats_of(backward.attended),
           [&](std::size_t begin, std::size_t end) {
             HWY_DYNAMIC_DISPATCH(differentiate_rows)(backward, begin, end);
           });
}

void step_attention_keys(ThreadPool& pool, const StepAttentionKeys& keys) {
  for_rows(pool, keys.rows, floats_of(keys.attended), [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(differentiate_keys)(keys, begin, end);
  });
}

void step_attention_values(ThreadPool& pool, const StepAttentionValues& values) {
  for_rows(pool, values.rows, floats_of(values.attended), [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(differentiate_values)(values, begin, end);
  });
}

}  // namespace awend::host
#endif
