// Rows of an embedding table without scale and positions, as recurrent networks use them.  Test:
// tests/kernels/embedding_test.cpp.
#pragma once

#include <optional>

#include "nn/operations.hpp"

namespace awend::nn {

struct LookupInputs {
  Tensor ids;                     ///< (rows, 1); NO_TOKEN is the zero vector
  std::optional<Segments> by_id;  ///< Training only.
};

/// table[id]: (rows, table.columns).
Tensor lookup(Graph& graph, const LookupInputs& inputs, const Parameter& table);

}  // namespace awend::nn
