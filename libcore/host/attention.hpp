// Attention over packed sentences on the CPU; the formulas are in shaders/op_attention.comp.
//
// The scores of a few rows are small products with the packed partners of their sentence.
// Test: tests/unit/host/attention_test.cpp, tests/kernels/attention_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "host/dropout.hpp"
#include "host/thread_pool.hpp"

namespace awend::host {

/// Sizes, and the place of the rows in the whole update.
struct AttentionShape {
  std::size_t queries;
  std::size_t keys;
  std::size_t heads;
  std::size_t d_k;  ///< A multiple of 4, as d_v.
  std::size_t d_v;
  std::uint32_t first_query;
  std::uint32_t first_key;
  std::optional<Dropout> dropout;
};

struct Attention {
  AttentionShape shape;
  const std::uint32_t* key_ranges;  ///< (queries, 2): first key, and end of the keys.
  const float* q;                   ///< (queries, heads · d_k)
  const float* k;                   ///< (keys, heads · d_k)
  const float* v;                   ///< (keys, heads · d_v)
  float* y;                         ///< (queries, heads · d_v)
  float* log_sum_exp;               ///< (queries, heads)
};
void attention(ThreadPool& pool, const Attention& attention);

/// The weights, which attention() does not store, from log_sum_exp.
struct AttentionWeights {
  std::size_t queries;
  std::size_t heads;
  std::size_t d_k;
  std::size_t stride;  ///< The largest number of keys.
  const std::uint32_t* key_ranges;
  const float* q;
  const float* k;
  const float* log_sum_exp;
  float* weights;  ///< (queries, heads, stride); those after the last key are not written.
};
void attention_weights(ThreadPool& pool, const AttentionWeights& attention);

}  // namespace awend::host
