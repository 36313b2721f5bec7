#include "nn/recurrent/input_feeding.hpp"

#include "nn/graph.hpp"
#include "nn/recurrent/move_rows.hpp"
#include "nn/recurrent/products.hpp"
#include "shaders/op_feed.h"

namespace awend::nn {
namespace {

/// The layers, appended step by step.
class FeedingSteps {
 public:
  FeedingSteps(Graph& graph, const InputFeedingInputs& inputs);

  void forward(std::size_t t);
  void backward();
  InputFeedingLayers layers() const;

 private:
  /// The output of a layer, after dropout and residual connection, as the input of the next one.
  struct Output {
    std::uint32_t dropout_id;
    double dropout;
    Tensor x;                  // by rank
    std::optional<Tensor> xs;  // packed; in training
  };

  const Steps& steps() const { return inputs_.cells.front().steps; }
  Tensor by_rank(std::uint32_t columns) const {
    return graph_->program().activation(steps().sentences(), columns);
  }
  Tensor packed(std::uint32_t columns) const {
    return graph_->program().activation(inputs_.cells.front().rows, columns);
  }
  void add_output(double dropout);
  RowDropout dropout_of(std::size_t layer, std::size_t t) const;
  const Tensor& forward_output(std::size_t layer, std::size_t t);
  const Tensor& packed_output(std::size_t layer) const;
  void backward_output(std::size_t layer, std::size_t t);
  void forward_cells(std::size_t layer, std::size_t t);
  void forward_feed(std::size_t t);
  void backward_feed(std::size_t t);
  void backward_cells(std::size_t layer, std::size_t t);
  void end_backward();
  bool is_residual() const { return inputs_.residual == InputFeedingInputs::Residual::kOn; }
  /// Whether the output of a layer differs from its state.
  bool has_output(std::size_t layer) const { return layer < outputs_.size(); }

  Graph* graph_;
  InputFeedingInputs inputs_;
  std::vector<CellSteps> cells_;
  std::vector<Output> outputs_;  // by layer; those of further layers are their states
  AttentionSteps attention_;
  std::uint32_t size_;
  Tensor input_, z_, f_, y_;
  std::optional<Tensor> f_before_;                            // in training
  std::optional<Tensor> dy_, df_, dz_, dzs_, dcontext_, dx_;  // in the gradient rule
};

FeedingSteps::FeedingSteps(Graph& graph, const InputFeedingInputs& inputs)
    : graph_(&graph),
      inputs_(inputs),
      attention_(graph, inputs.memory, inputs.cells.front().steps, inputs.cells.front().rows,
                 inputs.weights),
      size_(inputs.state.rows),
      input_(by_rank(inputs.feed.columns)),
      z_(by_rank(size_)),
      f_(by_rank(size_)),
      y_(packed(size_)) {
  for (const CellInputs& cells : inputs.cells) cells_.emplace_back(graph, cells);
  const double dropout = graph.training() ? inputs.dropout : 0;
  for (std::size_t i = 1; i < cells_.size() && (dropout > 0 || is_residual()); ++i)
    add_output(dropout);
  if (is_residual() && cells_.size() > 1) add_output(0);
  if (graph.training()) f_before_ = packed(size_);
  if (inputs.initial) {
    move_rows(graph.program(), {.x = *inputs.initial, .y = f_, .rows = f_.rows});
  } else {
    zero_rows(graph.program(), f_, f_.rows);
  }
}

void FeedingSteps::add_output(double dropout) {
  outputs_.push_back({graph_->next_dropout_id(), dropout, by_rank(size_), std::nullopt});
  if (graph_->training()) outputs_.back().xs = packed(size_);
}

/// From the state of `layer` to its output.
RowDropout FeedingSteps::dropout_of(std::size_t layer, std::size_t t) const {
  RowDropout dropout{.masks = {inputs_.masks, steps().counts[t]},
                     .dropout_id = outputs_[layer].dropout_id,
                     .numbers = dropout_numbers(outputs_[layer].dropout),
                     .a = cells_[layer].state().h,
                     .y = outputs_[layer].x};
  // The embeddings are not added to the output of the first layer.
  if (is_residual() && layer > 0) dropout.x = outputs_[layer - 1].x;
  return dropout;
}

/// The output of a layer by rank.
const Tensor& FeedingSteps::forward_output(std::size_t layer, std::size_t t) {
  if (!has_output(layer)) return cells_[layer].state().h;
  append_row_dropout(*graph_, dropout_of(layer, t));
  const auto& [dropout_id, dropout, x, xs] = outputs_[layer];
  if (xs) {
    move_rows(graph_->program(), {.x = x,
                                  .y = *xs,
                                  .rows = steps().counts[t],
                                  .table = steps().table,
                                  .by = RowMove::By::kScatter});
  }
  return x;
}

const Tensor& FeedingSteps::packed_output(std::size_t layer) const {
  return has_output(layer) ? *outputs_[layer].xs : cells_[layer].outputs();
}

/// Adds the gradient of the output of a layer, dx, to that of its state.  A residual connection
/// leaves dx as the gradient of the input of the layer.
void FeedingSteps::backward_output(std::size_t layer, std::size_t t) {
  if (!has_output(layer)) return;  // was added to that of the state
  RowDropout dropout = dropout_of(layer, t);
  dropout.a = *dx_;
  dropout.y = cells_[layer].dh();
  dropout.x = std::nullopt;
  dropout.adds = true;
  append_row_dropout(*graph_, dropout);
}

void FeedingSteps::forward_cells(std::size_t layer, std::size_t t) {
  const Count& count = steps().counts[t];
  if (layer == 0) {
    multiply(*graph_,
             {.x = first_rows(f_, count), .w = inputs_.feed, .y = first_rows(input_, count)});
  } else {
    const Tensor& x = forward_output(layer - 1, t);
    multiply(*graph_, {.x = first_rows(x, count),
                       .w = inputs_.upper[layer - 1].weight,
                       .y = first_rows(input_, count),
                       .bias = inputs_.upper[layer - 1].bias});
  }
  cells_[layer].forward(t, input_);
}

void FeedingSteps::forward_feed(std::size_t t) {
  const Count& count = steps().counts[t];
  const Tensor& h = forward_output(cells_.size() - 1, t);
  attention_.forward(t, h);
  multiply(*graph_, {.x = first_rows(h, count),
                     .w = inputs_.state,
                     .y = first_rows(z_, count),
                     .bias = inputs_.bias});
  multiply(*graph_, {.x = first_rows(attention_.context(), count),
                     .w = inputs_.context,
                     .y = first_rows(z_, count),
                     .result = Result::kAdded});
  graph_->program().launch(FeedLaunch{
      .constants = {.columns = size_, .keep = graph_->training()},
      .operands =
          {.table = steps().table, .z = z_, .f = f_, .y = y_, .f_before = f_before_.value_or(y_)},
      .push = {.rows_count = count.word},
      .x = Axis::rows(count)});
}

void FeedingSteps::forward(std::size_t t) {
  for (std::size_t layer = 0; layer < cells_.size(); ++layer) forward_cells(layer, t);
  forward_feed(t);
}

void FeedingSteps::backward_feed(std::size_t t) {
  const Count& count = steps().counts[t];
  graph_->program().launch(
      FeedBackwardLaunch{.constants = {.columns = size_, .has_dy = dy_.has_value()},
                         .operands = {.table = steps().table,
                                      .y = y_,
                                      .dy = dy_.value_or(y_),
                                      .df = *df_,
                                      .dz = *dz_,
                                      .dz_rows = *dzs_},
                         .push = {.rows_count = count.word},
                         .x = Axis::rows(count)});
  multiply_transposed(
      *graph_,
      {.dy = first_rows(*dz_, count), .w = inputs_.context, .dx = first_rows(*dcontext_, count)});
  const std::size_t top = cells_.size() - 1;
  const Tensor& dtop = has_output(top) ? *dx_ : cells_[top].dh();
  multiply_transposed(*graph_, {.dy = first_rows(*dz_, count),
                                .w = inputs_.state,
                                .dx = first_rows(dtop, count),
                                .result = has_output(top) ? Result::kWritten : Result::kAdded});
  attention_.backward(t, {.dcontext = *dcontext_, .dquery = dtop, .adds = true});
  backward_output(top, t);
}

void FeedingSteps::backward_cells(std::size_t layer, std::size_t t) {
  const Count& count = steps().counts[t];
  cells_[layer].backward(t);
  const Tensor dinput = first_rows(cells_[layer].dinput(), count);
  if (layer == 0) {
    multiply_transposed(*graph_, {.dy = dinput, .w = inputs_.feed, .dx = first_rows(*df_, count)});
    return;
  }
  const bool has_dx = has_output(layer - 1);
  // With a residual connection, dx already holds the gradient of the output.
  const bool adds = !has_dx || is_residual();
  multiply_transposed(*graph_, {.dy = dinput,
                                .w = inputs_.upper[layer - 1].weight,
                                .dx = first_rows(has_dx ? *dx_ : cells_[layer - 1].dh(), count),
                                .result = adds ? Result::kAdded : Result::kWritten});
  backward_output(layer - 1, t);
}

void FeedingSteps::backward() {
  dy_ = graph_->gradient(y_);
  if (!dy_) return;
  df_ = by_rank(size_);
  zero_rows(graph_->program(), *df_, df_->rows);
  dz_ = by_rank(size_);
  dx_ = by_rank(size_);
  dzs_ = packed(size_);
  dcontext_ = by_rank(inputs_.context.rows);
  for (CellSteps& cells : cells_) cells.begin_backward(CellSteps::Caller::kAddsGradients);
  attention_.begin_backward();
  for (std::size_t t = steps().size(); t-- > 0;) {
    backward_feed(t);
    for (std::size_t layer = cells_.size(); layer-- > 0;) backward_cells(layer, t);
  }
  end_backward();
}

void FeedingSteps::end_backward() {
  for (CellSteps& cells : cells_) cells.end_backward();
  attention_.end_backward();
  add_weight_gradient(*graph_, *f_before_, cells_.front().dinputs(), inputs_.feed);
  add_weight_gradient(*graph_, packed_output(cells_.size() - 1), *dzs_, inputs_.state,
                      inputs_.bias);
  add_weight_gradient(*graph_, attention_.contexts(), *dzs_, inputs_.context);
  for (std::size_t layer = 1; layer < cells_.size(); ++layer) {
    const auto& [weight, bias] = inputs_.upper[layer - 1];
    add_weight_gradient(*graph_, packed_output(layer - 1), cells_[layer].dinputs(), weight, bias);
  }
}

InputFeedingLayers FeedingSteps::layers() const {
  InputFeedingLayers layers{y_, {}, f_, std::nullopt};
  for (const CellSteps& cells : cells_) layers.last.push_back(cells.state());
  if (inputs_.weights == AttentionSteps::Weights::kOutput)
    layers.attention_weights = attention_.weights();
  return layers;
}

}  // namespace

InputFeedingLayers input_feeding(Graph& graph, const InputFeedingInputs& inputs) {
  FeedingSteps steps(graph, inputs);
  for (std::size_t t = 0; t < inputs.cells.front().steps.size(); ++t) steps.forward(t);
  graph.tape([steps]() mutable { steps.backward(); });
  return steps.layers();
}

}  // namespace awend::nn
