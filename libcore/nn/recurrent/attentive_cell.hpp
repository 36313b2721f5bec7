// A layer of cells that attends before each step (Bahdanau et al., 2015): the state before the step
// is the query, and the context is an input of the step.  With two cells (Sennrich et al., 2017),
// the first reads the input, the state after it is the query, and the second reads the context.
// Test:
// tests/kernels/recurrent_decoder_test.cpp.
#pragma once

#include "nn/recurrent/cell.hpp"
#include "nn/recurrent/step_attention.hpp"

namespace awend::nn {

struct AttentiveCellInputs {
  CellInputs cells;  ///< Its inputs: the products of what is known for all steps.
  std::optional<CellWeights> second = {};
  AttentionMemory memory;
  AttentionSteps::Weights weights;
  Parameter query;    ///< (d, columns of keys): projects the state to the query.
  Parameter context;  ///< (value columns, G · d): the product of the context.
};

struct AttentiveLayer {
  Tensor outputs;   ///< (rows, d)
  Tensor contexts;  ///< (rows, value columns)
  CellState last;
  std::optional<Tensor> attention_weights;  ///< If they are an output.
};

AttentiveLayer attentive_recurrent(Graph& graph, const AttentiveCellInputs& inputs);

}  // namespace awend::nn
