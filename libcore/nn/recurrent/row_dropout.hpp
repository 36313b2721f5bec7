// Dropout whose masks follow from numbers of rows, so that the rows of a sentence may share one
// (Gal and Ghahramani, 2016), and so that one row has the same mask in packed order and by rank.
// Test: tests/kernels/recurrent_test.cpp.
#pragma once

#include <optional>

#include "nn/dropout.hpp"
#include "nn/parameters.hpp"

namespace awend::nn {

class Graph;

/// The number of the mask of row i is masks[first + i], where `first` is the second word of `rows`.
struct RowMasks {
  Tensor masks;  ///< (entries, 1)
  Count rows;
};

/// y = dropout(a) [+ x], or y += dropout(a).
struct RowDropout {
  RowMasks masks;
  std::uint32_t dropout_id;
  DropoutNumbers numbers;
  Tensor a, y;
  std::optional<Tensor> x = {};
  bool adds = false;
};
void append_row_dropout(Graph& graph, const RowDropout& dropout);

/// dropout(a); `a` itself in inference or if the probability is 0.
Tensor row_dropout(Graph& graph, const Tensor& a, const RowMasks& masks, double probability);

}  // namespace awend::nn
