// Gradients of attention on the CPU; the formulas are in shaders/op_attention_backward.comp.
// Test: tests/unit/host/attention_test.cpp, tests/kernels/attention_test.cpp.
#pragma once

#include <cstdint>

#include "host/attention.hpp"

namespace awend::host {

/// What both functions read, named as in host::Attention.
struct AttentionGradient {
  AttentionShape shape;
  const std::uint32_t* ranges;  ///< Of each query, its keys, or of each key, its queries.
  const float* q;
  const float* k;
  const float* v;
  const float* dy;           ///< (queries, heads · d_v)
  const float* log_sum_exp;  ///< (queries, heads)
};

/// The gradient of the queries; stores Σ dy · y of each query and head for the keys.
struct QueryGradient {
  AttentionGradient in;
  const float* y;
  float* deltas;  ///< (queries, heads)
  float* dq;      ///< (queries, heads · d_k)
};
void attention_backward(ThreadPool& pool, const QueryGradient& gradient);

/// The gradients of keys and values.
struct KeyGradient {
  AttentionGradient in;
  const float* deltas;
  float* dk;  ///< (keys, heads · d_k)
  float* dv;  ///< (keys, heads · d_v)
};
void attention_backward(ThreadPool& pool, const KeyGradient& gradient);

}  // namespace awend::host
