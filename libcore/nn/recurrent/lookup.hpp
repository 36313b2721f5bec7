// Rows of an embedding table without scale and positions, as recurrent networks and BERT use
// them.  Test: tests/kernels/embedding_test.cpp, tests/learn/gradient_test.cpp.
#pragma once

#include <optional>
#include <vector>

#include "nn/operations.hpp"

namespace awend::nn {

struct LookupInputs {
  Tensor ids;                     ///< (rows, 1); NO_TOKEN is the zero vector
  std::optional<Segments> by_id;  ///< Training only.
};

/// table[id]: (rows, table.columns).
Tensor lookup(Graph& graph, const LookupInputs& inputs, const Parameter& table);

struct FewLookupInputs {
  Tensor ids;                 ///< (rows, 1)
  Tensor rows;                ///< (rows, 1): rows by id, ascending for each.  Training only.
  std::vector<Count> counts;  ///< Of the rows of each id; the second word is where they begin.
};

/// The same for a table of few rows, each of which has many rows of the result: their gradients are
/// summed like those of a bias.
Tensor lookup_few(Graph& graph, const FewLookupInputs& inputs, const Parameter& table);

}  // namespace awend::nn
