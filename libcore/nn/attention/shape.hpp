// The tensors and sizes of an attention.
#pragma once

#include <cstdint>
#include <optional>

#include "nn/parameters.hpp"
#include "nn/tensor.hpp"

namespace awend::nn {

/// The keys of each query and the queries of each key, as begin and end of a range of rows.
struct AttentionRanges {
  Tensor keys_of_query;       ///< (query rows, 2)
  Tensor queries_of_key;      ///< (key rows, 2); unused in inference
  std::uint32_t longest = 0;  ///< The most rows of a range; 0: unknown.
};

/// Biases of the scores of self-attention by the position of a key relative to its query (Raffel et
/// al., 2020), for each head and bucket of positions.
struct RelativeBias {
  /// (buckets · heads, 1): that of bucket b and head h is row b · heads + h.  Buckets are a
  /// multiple of 4.
  Parameter table;
  /// (2 · max_distance + 1, 1): the bucket of each relative position from −max_distance on.  The
  /// positions beyond have those of the ends.
  Tensor buckets;

  std::uint32_t max_distance() const { return (buckets.rows.capacity - 1) / 2; }
};

struct AttentionShape {
  std::uint32_t heads;
  std::uint32_t d_k;  ///< Of each head; a multiple of 4.
  std::uint32_t d_v;
  double dropout = 0;
  /// Requires: queries and keys are the same rows, or a cached_attention().
  std::optional<RelativeBias> bias = {};
};

struct Projections {
  Tensor q;  ///< (query rows, heads · d_k)
  Tensor k;  ///< (key rows, heads · d_k)
  Tensor v;  ///< (key rows, heads · d_v)
};

/// The tensors of an attention from which attention_weights() computes its weights.
struct AttentionRecord {
  Tensor key_ranges;   ///< (query rows, 2)
  Tensor q, k;         ///< (rows, heads · d_k)
  Tensor log_sum_exp;  ///< (query rows, heads)
  std::uint32_t heads;
  std::uint32_t d_k;
  std::optional<RelativeBias> bias = {};
};

}  // namespace awend::nn
