// Operations of one decoding step: a cache of keys and values, attention through a table of
// ancestors, the best tokens.
#pragma once

#include <cstdint>
#include <optional>

#include "nn/graph.hpp"
#include "nn/operations.hpp"

namespace awend::nn {

/// Rows on the device that live from one replay to the next, for one or several programs.
class RowCache {
 public:
  RowCache(Engine& engine, std::uint32_t rows, std::uint32_t columns);
  /// The cache in a program, (rows, columns).
  Tensor tensor(Program& program) const;

 private:
  std::uint32_t rows_;
  std::uint32_t columns_;
  vulkan::Arena memory_;
};

/// Row r of `x` goes to row places[r] of `cache`; `places` is (rows, 1).
void store_rows(Graph& graph, const Tensor& x, const Tensor& cache, const Tensor& places);

/// Where the keys of each query row lie in a cache.
struct Ancestors {
  Tensor table;   ///< (entries, 1): cache rows
  Tensor ranges;  ///< (query rows, 2): begin and end of the table's entries for each; not empty
};

/// The most keys that a query may see, by kMaxIterations.
std::uint32_t most_keys(const Engine& engine, const AttentionShape& shape);

/// Attention of query rows (rows, heads · d_k) over cached keys and values: (rows, heads · d_v).
Tensor cached_attention(Graph& graph, const Projections& cached, const Ancestors& ancestors,
                        const AttentionShape& shape);

struct TopK {
  Tensor ids;                ///< Output (rows, k); NO_TOKEN if the vocabulary has fewer.
  Tensor log_probabilities;  ///< Output (rows, k)
};

/// Changes of single logits of each row; see shaders/op_adjust.comp.
struct Adjustments {
  Tensor ranges;   ///< (rows, 2): begin and end of a row's changes
  Tensor changes;  ///< (entries, 2): an id and a float's bits; no id twice in a row
};

/// What a search may ask for besides the best tokens.
struct TokenConstraints {
  Tensor forced_id;                        ///< (rows, 1): the required token, or NO_TOKEN
  std::optional<Adjustments> adjustments;  ///< Before the softmax.
};

/// x · tableᵀ: the logits of all tokens, (rows, vocabulary, padded).
struct Logits {
  Tensor values;
  std::uint32_t vocabulary;
};
Logits token_logits(Graph& graph, const Tensor& x, const Parameter& table);

/// Changes logits as is asked for; top_k() and sample() do so first.
void adjust(Program& program, const Logits& logits, const TokenConstraints& constraints);

/// The `k` most probable tokens of the softmax of each row, best first, ties to the lower id.
/// Adjustments are made in `logits`.  Throws Error if `k` is too large for a vocabulary of this
/// size.
TopK top_k(Program& program, const Logits& logits, std::uint32_t k,
           const TokenConstraints& constraints);

}  // namespace awend::nn
