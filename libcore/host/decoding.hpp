// Operations of a decoding step on the CPU; the formulas are in shaders/op_attention_cached.comp,
// op_store_rows.comp and op_adjust.comp.  Test: tests/kernels/decoding_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "host/thread_pool.hpp"

namespace awend::host {

/// y = softmax(q kᵀ / √d_k) v for each row and head.  The keys of row i are the cache rows
/// ancestors[past[2 i]] … ancestors[past[2 i + 1] - 1], at least one.
struct CachedAttention {
  std::size_t rows;
  std::size_t heads;
  std::size_t d_k;                 ///< A multiple of 4.
  std::size_t d_v;                 ///< A multiple of 4.
  const std::uint32_t* past;       ///< (rows, 2)
  const std::uint32_t* ancestors;  ///< Rows of the cache.
  const float* q;                  ///< (rows, heads · d_k)
  const float* k;                  ///< (cache rows, heads · d_k)
  const float* v;                  ///< (cache rows, heads · d_v)
  float* y;                        ///< (rows, heads · d_v)
};
void cached_attention(ThreadPool& pool, const CachedAttention& attention);

/// Row i of x becomes row places[i] of the cache.
struct StoredRows {
  std::size_t rows;
  std::size_t columns;
  const std::uint32_t* places;  ///< (rows)
  const float* x;               ///< (rows, columns)
  float* cache;
};
void store_rows(const StoredRows& stored);

/// The changes [ranges[2 i], ranges[2 i + 1]) of row i: an id, and the bits of a float, which is
/// added to the logit.  If the id has the bit `repeated`, the float is the factor of the repetition
/// penalty instead.
struct AdjustedLogits {
  std::size_t rows;
  std::size_t columns;
  std::uint32_t repeated;
  const std::uint32_t* ranges;   ///< (rows, 2)
  const std::uint32_t* changes;  ///< (changes, 2)
  float* logits;                 ///< (rows, columns)
};
void adjust(const AdjustedLogits& adjusted);

}  // namespace awend::host
