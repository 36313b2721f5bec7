// Operations of one decoding step: a cache of keys and values, attention through a table of
// ancestors, the most probable tokens.  Test: tests/kernels/decoding_test.cpp.
#pragma once

#include <cstdint>
#include <optional>

#include "nn/attention/shape.hpp"
#include "nn/logits.hpp"
#include "nn/loss.hpp"

namespace awend::nn {

class Graph;

/// Rows on the device that persist between replays, for one or several programs.
class RowCache {
 public:
  RowCache(Engine& engine, std::uint32_t rows, std::uint32_t columns);
  /// The cache in a program, (rows, columns).
  Tensor tensor(Program& program) const;

 private:
  std::uint32_t rows_;
  std::uint32_t columns_;
  Memory memory_;
};

/// Copies row r of `x` to row places[r] of `cache`; `places` is (rows, 1).
void store_rows(Graph& graph, const Tensor& x, const Tensor& cache, const Tensor& places);

/// The rows of a cache that contain the keys of each query row.
struct Ancestors {
  Tensor table;   ///< (entries, 1): rows of the cache
  Tensor ranges;  ///< (query rows, 2): begin and end of its entries in the table; not empty
};

/// The maximum number of keys of a query, because of kMaxIterations.
std::uint32_t max_keys(const Engine& engine, const AttentionShape& shape);

/// Attention of query rows (rows, heads · d_k) over cached keys and values: (rows, heads · d_v).
/// With a bias, the last key of a row has the position of its query.
Tensor cached_attention(Graph& graph, const Projections& cached, const Ancestors& ancestors,
                        const AttentionShape& shape);

struct TopK {
  Tensor ids;                ///< Output (rows, k); NO_TOKEN if there are fewer.
  Tensor log_probabilities;  ///< Output (rows, k)
};

/// Constraints of a search on the tokens of each row.
struct TokenConstraints {
  Tensor forced_id;                        ///< (rows, 1): the required token, or NO_TOKEN
  std::optional<Adjustments> adjustments;  ///< Applied before the softmax.
};

/// x · tableᵀ + bias: the logits of all tokens, kMaskedLogit for masked ids.
Logits token_logits(Graph& graph, const Tensor& x, const OutputLayer& output);
inline Logits token_logits(Graph& graph, const Tensor& x, const Parameter& table) {
  return token_logits(graph, x, {.table = table, .bias = std::nullopt});
}

/// Applies the adjustments, if any, to the logits; top_k() and sample() call this first.
void adjust(Program& program, const Logits& logits, const TokenConstraints& constraints);

/// The `k` most probable tokens of the softmax of each row, best first, ties to the lower id.
/// Modifies `logits` by the adjustments.  If one of these is NaN, so is each ln p; if all are −∞,
/// all ids are NO_TOKEN, and no ln p is NaN.  Throws Error if `k` is too large for the size of the
/// vocabulary.
TopK top_k(Program& program, const Logits& logits, std::uint32_t k,
           const TokenConstraints& constraints);

}  // namespace awend::nn
