// Rows of a table, such as an embedding, by their ids.
#pragma once

#include "nn/graph.hpp"

namespace awend::nn {

/// A tensor, and ids of its rows.
struct TableRows {
  Tensor table, ids;
};

/// The rows `ids` of a parameter: itself, or if it is stored as integers, a tensor with only these
/// rows.
TableRows table_rows(Graph& graph, const Parameter& table, const Tensor& ids);

}  // namespace awend::nn
