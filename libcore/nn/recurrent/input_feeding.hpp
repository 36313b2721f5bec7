// Stacked cells with attention after each step and input feeding (Luong et al., 2015): the
// attentional state f = tanh(h W_s + context W_c + b) of a step is its output and an input of the
// first cells at the next one.  Test: tests/kernels/recurrent_decoder_test.cpp.
#pragma once

#include <vector>

#include "nn/recurrent/cell.hpp"
#include "nn/recurrent/row_dropout.hpp"
#include "nn/recurrent/step_attention.hpp"

namespace awend::nn {

/// The product of the input of cells above the first: (d, G · d) and (1, G · d).
struct UpperInput {
  Parameter weight, bias;
};

struct InputFeedingInputs {
  /// By layer.  The first has products of embeddings as inputs, the others have none.
  std::vector<CellInputs> cells;
  std::vector<UpperInput> upper;  ///< Of the layers above the first.
  Parameter feed;                 ///< (d, G · d): the product of f in the first cells.
  Parameter state, context;       ///< W_s (d, d), W_c (value columns, d)
  Parameter bias;                 ///< (1, d)
  AttentionMemory memory;         ///< Keys and h have the same number of columns.
  AttentionSteps::Weights weights;
  std::optional<Tensor> initial;  ///< f before the first step (sentences, d); default: zero
  Tensor masks;                   ///< (rows, 1): numbers of the dropout masks, by step and rank
  double dropout;                 ///< Between layers.
  /// Adds the input of each layer above the first to its output.
  enum class Residual { kOff, kOn } residual = Residual::kOff;
};

struct InputFeedingLayers {
  Tensor outputs;                           ///< (rows, d): f
  std::vector<CellState> last;              ///< By layer.
  Tensor last_f;                            ///< By rank.
  std::optional<Tensor> attention_weights;  ///< If they are an output.
};

InputFeedingLayers input_feeding(Graph& graph, const InputFeedingInputs& inputs);

}  // namespace awend::nn
