// Weighted sums of the embeddings of ranges of rows: representations of sentences.  Test:
// tests/kernels/embedding_bag_test.cpp.
#pragma once

#include <optional>

#include "nn/operations.hpp"

namespace awend::nn {

struct EmbeddingBagInputs {
  Tensor ids;                     ///< (rows, 1); rows outside of bags may have any id
  Tensor rows_of_bag;             ///< (bags, 2): begin and end
  Tensor bags_of_row;             ///< (rows, 2); unused in inference
  std::optional<Segments> by_id;  ///< Training only.
};

/// The most rows of a bag, because of kMaxIterations.
std::uint32_t max_bag_rows(const Engine& engine, std::uint32_t columns);

/// Σ weight ∘ table[id] over the rows of each bag: (bags, table.columns).  An empty bag is zero.
Tensor embedding_bag(Graph& graph, const EmbeddingBagInputs& inputs, const Parameter& table,
                     BagWeights weights);

}  // namespace awend::nn
