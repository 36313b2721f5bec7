// Recurrent cells, with the formulas and the order of gates of PyTorch's nn.LSTM (i, f, g, o) and
// nn.GRU (r, z, n), so that weights of these load as they are, transposed.  Test:
// tests/kernels/recurrent_test.cpp.
#pragma once

#include <optional>

#include "nn/parameters.hpp"
#include "nn/recurrent/cell_kind.hpp"
#include "nn/recurrent/steps.hpp"

namespace awend::nn {

class Graph;

/// Weights of the products of the state: `hidden` (d, G · d), `bias` (1, G · d).
struct CellWeights {
  Cell cell;
  Parameter hidden, bias;

  std::uint32_t size() const { return hidden.rows; }
};

/// By rank: (sentences, d).  Only an LSTM has `c`; if it is missing at the start, it is zero.
struct CellState {
  Tensor h;
  std::optional<Tensor> c;
};

/// Operands of a layer of cells through all steps.
struct CellInputs {
  CellWeights weights;
  Steps steps;
  Count rows;                        ///< Packed rows.
  std::optional<Tensor> inputs;      ///< (rows, G · d): products of the inputs of all steps
  std::optional<CellState> initial;  ///< Default: zero.
  /// The state of other cells, if both update it in turn at each step; default: its own.
  std::optional<CellState> shared = {};
};

/// A layer of cells, appended step by step: forward() for each step in order; then, in a gradient
/// rule, begin_backward(), backward() for each step from the last to the first, end_backward().
class CellSteps {
 public:
  /// Appends the initial state.
  CellSteps(Graph& graph, const CellInputs& inputs);

  /// `input`, by rank (sentences, G · d): products of inputs that are known only at this step.
  void forward(std::size_t t, const std::optional<Tensor>& input = std::nullopt);
  /// (rows, d): h after each step.
  const Tensor& outputs() const { return y_; }
  const CellState& state() const { return state_; }

  /// Returns false, and appends nothing, if nothing that has a gradient depends on the layer.
  /// `is_needed`: the caller adds gradients to dh() itself.
  enum class Caller { kReadsOnly, kAddsGradients };
  bool begin_backward(Caller caller = Caller::kReadsOnly);
  /// The same for cells whose state `later` updates after them: both share dh().
  void begin_backward(const CellSteps& later);
  /// Appends the gradients of the gates of step t, then dh() of the step before.
  void backward(std::size_t t);
  /// The gradient of h by rank.
  const Tensor& dh() const { return *dh_; }
  /// (sentences, G · d): the gradient of the products of inputs of the step of backward().
  const Tensor& dinput() const { return *dinput_; }
  /// (rows, G · d): the same of all steps.
  const Tensor& dinputs() const { return *dinputs_; }
  /// (rows, d): h before each step.
  const Tensor& before() const { return *h_before_; }
  /// Appends the gradients of the weights, of the inputs, and of the initial state.
  void end_backward();

 private:
  void start_state();
  void begin_gate_gradients();
  void launch_forward(std::size_t t, const std::optional<Tensor>& input);
  void launch_backward(std::size_t t);
  Tensor packed(std::uint32_t columns) const;
  Tensor by_rank(std::uint32_t columns) const;

  Graph* graph_;
  CellInputs inputs_;
  CellState state_;
  Tensor gates_, hidden_, y_;
  std::optional<Tensor> h_before_, c_before_, candidate_;  // in training
  std::optional<Tensor> dy_, dh_, dc_, dinput_, dinputs_, dhidden_, dhiddens_;
};

struct RecurrentLayer {
  Tensor outputs;  ///< (rows, d)
  CellState last;  ///< After the last token of each sentence.
};

/// A layer of cells whose input products are known for all steps.
RecurrentLayer recurrent(Graph& graph, const CellInputs& inputs);

}  // namespace awend::nn
