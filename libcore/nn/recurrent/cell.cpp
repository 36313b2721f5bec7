#include "nn/recurrent/cell.hpp"

#include "base/error.hpp"
#include "nn/graph.hpp"
#include "nn/recurrent/move_rows.hpp"
#include "nn/recurrent/products.hpp"
#include "shaders/op_gru.h"
#include "shaders/op_lstm.h"

namespace awend::nn {
namespace {

/// Sets `state` to `initial`, or to zero.
void start(Program& program, const std::optional<Tensor>& initial, const Tensor& state) {
  if (initial) {
    move_rows(program, {.x = *initial, .y = state, .rows = state.rows});
  } else {
    zero_rows(program, state, state.rows);
  }
}

}  // namespace

Tensor CellSteps::packed(std::uint32_t columns) const {
  return graph_->program().activation(inputs_.rows, columns);
}

Tensor CellSteps::by_rank(std::uint32_t columns) const {
  return graph_->program().activation(inputs_.steps.sentences(), columns);
}

CellSteps::CellSteps(Graph& graph, const CellInputs& inputs) : graph_(&graph), inputs_(inputs) {
  const bool is_lstm = inputs.weights.cell == Cell::kLstm;
  const std::uint32_t size = inputs.weights.size();
  const std::uint32_t gates = gates_of(inputs.weights.cell) * size;
  base::check(inputs.weights.hidden.columns == gates, "a cell has its number of gates");
  if (inputs.shared) {
    base::check(!inputs.initial, "a shared state starts in one place");
    state_ = *inputs.shared;
  } else {
    start_state();
  }
  hidden_ = by_rank(gates);
  y_ = packed(size);
  gates_ = inputs.inputs ? *inputs.inputs : graph.training() ? packed(gates) : hidden_;
  if (!graph.training()) return;
  h_before_ = packed(size);
  (is_lstm ? c_before_ : candidate_) = packed(size);
}

void CellSteps::start_state() {
  const auto& initial = inputs_.initial;
  Program& program = graph_->program();
  state_.h = by_rank(inputs_.weights.size());
  start(program, initial ? std::optional(initial->h) : std::nullopt, state_.h);
  if (inputs_.weights.cell == Cell::kGru) return;
  state_.c = by_rank(inputs_.weights.size());
  start(program, initial ? initial->c : std::nullopt, *state_.c);
}

void CellSteps::forward(std::size_t t, const std::optional<Tensor>& input) {
  const Count& count = inputs_.steps.counts[t];
  multiply(*graph_, {.x = first_rows(state_.h, count),
                     .w = inputs_.weights.hidden,
                     .y = first_rows(hidden_, count),
                     .bias = inputs_.weights.bias});
  launch_forward(t, input);
}

void CellSteps::launch_forward(std::size_t t, const std::optional<Tensor>& input) {
  const Count& count = inputs_.steps.counts[t];
  if (inputs_.weights.cell == Cell::kLstm) {
    graph_->program().launch(LstmLaunch{.constants = {.columns = inputs_.weights.size(),
                                                      .has_inputs = inputs_.inputs.has_value(),
                                                      .has_input = input.has_value(),
                                                      .keep = graph_->training()},
                                        .operands = {.table = inputs_.steps.table,
                                                     .input = input.value_or(hidden_),
                                                     .hidden = hidden_,
                                                     .gates = gates_,
                                                     .h = state_.h,
                                                     .c = *state_.c,
                                                     .y = y_,
                                                     .h_before = h_before_.value_or(y_),
                                                     .c_before = c_before_.value_or(y_)},
                                        .push = {.rows_count = count.word},
                                        .x = Axis::rows(count)});
  } else {
    graph_->program().launch(GruLaunch{.constants = {.columns = inputs_.weights.size(),
                                                     .has_inputs = inputs_.inputs.has_value(),
                                                     .has_input = input.has_value(),
                                                     .keep = graph_->training()},
                                       .operands = {.table = inputs_.steps.table,
                                                    .input = input.value_or(hidden_),
                                                    .hidden = hidden_,
                                                    .gates = gates_,
                                                    .h = state_.h,
                                                    .y = y_,
                                                    .h_before = h_before_.value_or(y_),
                                                    .candidate = candidate_.value_or(y_)},
                                       .push = {.rows_count = count.word},
                                       .x = Axis::rows(count)});
  }
}

bool CellSteps::begin_backward(Caller caller) {
  const bool is_lstm = inputs_.weights.cell == Cell::kLstm;
  dy_ = graph_->gradient(y_);
  dh_ = graph_->gradient(state_.h);
  if (is_lstm) dc_ = graph_->gradient(*state_.c);
  if (!dy_ && !dh_ && !dc_ && caller == Caller::kReadsOnly) return false;
  // The gradients of the last state are those that steps after the last one would have left.
  const auto zeroed = [&] {
    const Tensor made = by_rank(inputs_.weights.size());
    zero_rows(graph_->program(), made, made.rows);
    return made;
  };
  if (!dh_) dh_ = zeroed();
  if (is_lstm && !dc_) dc_ = zeroed();
  begin_gate_gradients();
  return true;
}

void CellSteps::begin_backward(const CellSteps& later) {
  dy_ = graph_->gradient(y_);
  dh_ = later.dh_;
  dc_ = later.dc_;
  begin_gate_gradients();
}

void CellSteps::begin_gate_gradients() {
  const bool is_lstm = inputs_.weights.cell == Cell::kLstm;
  const std::uint32_t gates = gates_of(inputs_.weights.cell) * inputs_.weights.size();
  dinput_ = by_rank(gates);
  if (inputs_.inputs) {
    const auto target = graph_->gradient_target(*inputs_.inputs);
    base::check(!target.adds, "products of inputs are used by one layer");
    dinputs_ = target.tensor;
  } else {
    dinputs_ = packed(gates);
  }
  dhidden_ = is_lstm ? dinput_ : by_rank(gates);
  dhiddens_ = is_lstm ? dinputs_ : packed(gates);
}

void CellSteps::backward(std::size_t t) {
  launch_backward(t);
  const Count& count = inputs_.steps.counts[t];
  // A part of the gradient of a GRU's state is not a product; the kernel left it in dh.
  const bool adds = inputs_.weights.cell == Cell::kGru;
  multiply_transposed(*graph_, {.dy = first_rows(*dhidden_, count),
                                .w = inputs_.weights.hidden,
                                .dx = first_rows(*dh_, count),
                                .result = adds ? Result::kAdded : Result::kWritten});
}

void CellSteps::launch_backward(std::size_t t) {
  const Count& count = inputs_.steps.counts[t];
  if (inputs_.weights.cell == Cell::kLstm) {
    graph_->program().launch(LstmBackwardLaunch{
        .constants = {.columns = inputs_.weights.size(), .has_dy = dy_.has_value()},
        .operands = {.table = inputs_.steps.table,
                     .gates = gates_,
                     .c_before = *c_before_,
                     .dy = dy_.value_or(y_),
                     .dh = *dh_,
                     .dc = *dc_,
                     .dgates = *dinputs_,
                     .dgates_of_step = *dinput_},
        .push = {.rows_count = count.word},
        .x = Axis::rows(count)});
  } else {
    graph_->program().launch(GruBackwardLaunch{
        .constants = {.columns = inputs_.weights.size(), .has_dy = dy_.has_value()},
        .operands = {.table = inputs_.steps.table,
                     .gates = gates_,
                     .h_before = *h_before_,
                     .candidate = *candidate_,
                     .dy = dy_.value_or(y_),
                     .dh = *dh_,
                     .dgates = *dinputs_,
                     .dhidden = *dhiddens_,
                     .dgates_of_step = *dinput_,
                     .dhidden_of_step = *dhidden_},
        .push = {.rows_count = count.word},
        .x = Axis::rows(count)});
  }
}

void CellSteps::end_backward() {
  add_weight_gradient(*graph_, *h_before_, *dhiddens_, inputs_.weights.hidden,
                      inputs_.weights.bias);
  if (!inputs_.initial) return;
  const auto add = [&](const Tensor& state, const Tensor& gradient) {
    const auto target = graph_->gradient_target(state);
    move_rows(graph_->program(),
              {.x = gradient, .y = target.tensor, .rows = gradient.rows, .adds = target.adds});
  };
  add(inputs_.initial->h, *dh_);
  if (inputs_.initial->c) add(*inputs_.initial->c, *dc_);
}

RecurrentLayer recurrent(Graph& graph, const CellInputs& inputs) {
  CellSteps cells(graph, inputs);
  const std::size_t size = inputs.steps.size();
  for (std::size_t t = 0; t < size; ++t) cells.forward(t);
  graph.tape([cells, size]() mutable {
    if (!cells.begin_backward()) return;
    for (std::size_t t = size; t-- > 0;) cells.backward(t);
    cells.end_backward();
  });
  return {cells.outputs(), cells.state()};
}

}  // namespace awend::nn
