// Attention of one step of a recurrent decoder on the CPU; the formulas are in
// shaders/op_step_attention.comp and op_step_attention_keys.comp.
//
// Rows are those of host/recurrent.hpp.  Test: tests/kernels/step_attention_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "host/recurrent.hpp"
#include "host/store.hpp"
#include "host/thread_pool.hpp"

namespace awend::host {

enum class Score {
  kProduct,   ///< q · k
  kAdditive,  ///< vᵀ tanh(q + k)
};

/// What all operations of an attention have in common.
struct Attended {
  Score score;
  std::size_t columns;        ///< Of queries and keys; a multiple of 4.
  std::size_t value_columns;  ///< A multiple of 4.
  std::size_t stride;         ///< The largest number of keys.
  enum class Weights { kSoftmax, kScores } weights = Weights::kSoftmax;
};

struct StepAttention {
  StepOfRows step;
  Attended attended;
  const std::uint32_t* ranges;  ///< Packed (rows, 2): first key of a row, and the end of its keys.
  const float* q;               ///< By rank
  const float* v;               ///< (columns), for kAdditive.
  const float* k;
  const float* values;
  float* context;   ///< By rank (rows, value columns)
  float* contexts;  ///< Packed: the same.
  float* queries;   ///< Packed: q; null: nothing is kept.
  float* weights;   ///< Packed (rows, stride)
};
void step_attention(ThreadPool& pool, const StepAttention& attention);

struct StepAttentionBackward {
  StepOfRows step;
  Attended attended;
  const std::uint32_t* ranges;
  const float* queries;
  const float* v;
  const float* k;
  const float* values;
  const float* weights;
  const float* dcontexts;  ///< Packed
  float* dscores;          ///< Packed (rows, stride)
  float* dq;               ///< By rank
  float* dqueries;         ///< Packed: without what is added to.
  Store store;             ///< Of dq.
};
void step_attention_backward(ThreadPool& pool, const StepAttentionBackward& backward);

/// The gradients of keys.
struct StepAttentionKeys {
  std::size_t rows;  ///< Of the keys.
  Attended attended;
  const std::uint32_t* queries_of_key;  ///< (rows, 2)
  const std::uint32_t* keys_of_query;   ///< (queries, 2)
  const float* queries;
  const float* v;
  const float* k;
  const float* dscores;
  float* dk;
  float* dv;  ///< (rows, columns): the part of each key, for kAdditive.
  Store store;
};
void step_attention_keys(ThreadPool& pool, const StepAttentionKeys& keys);

/// The gradients of values.
struct StepAttentionValues {
  std::size_t rows;
  Attended attended;
  const std::uint32_t* queries_of_key;
  const std::uint32_t* keys_of_query;
  const float* weights;
  const float* dcontexts;
  float* dvalues;
  Store store;
};
void step_attention_values(ThreadPool& pool, const StepAttentionValues& values);

}  // namespace awend::host
