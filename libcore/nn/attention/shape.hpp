// The tensors and sizes of an attention.
#pragma once

#include <cstdint>
#include <optional>

#include "nn/tensor.hpp"

namespace awend::nn {

/// The keys of each query and the queries of each key, as begin and end of a range of rows.
struct AttentionRanges {
  Tensor keys_of_query;       ///< (query rows, 2)
  Tensor queries_of_key;      ///< (key rows, 2); unused in inference
  std::uint32_t longest = 0;  ///< The most rows of a range; 0: unknown.
};

struct AttentionShape {
  std::uint32_t heads;
  std::uint32_t d_k;  ///< Of each head; a multiple of 4.
  std::uint32_t d_v;
  double dropout = 0;
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
};

}  // namespace awend::nn
