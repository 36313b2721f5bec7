#include "nn/recurrent/attentive_cell.hpp"

#include "nn/graph.hpp"
#include "nn/recurrent/products.hpp"

namespace awend::nn {
namespace {

/// The layer, appended step by step.
class AttentiveSteps {
 public:
  AttentiveSteps(Graph& graph, const AttentiveCellInputs& inputs)
      : graph_(&graph),
        inputs_(inputs),
        cells_(graph, inputs.cells),
        attention_(graph, inputs.memory, inputs.cells.steps, inputs.cells.rows, inputs.weights),
        query_(by_rank(inputs.query.columns)),
        product_(by_rank(inputs.context.columns)) {
    if (!inputs.second) return;
    second_.emplace(graph, CellInputs{.weights = *inputs.second,
                                      .steps = inputs.cells.steps,
                                      .rows = inputs.cells.rows,
                                      .inputs = std::nullopt,
                                      .initial = std::nullopt,
                                      .shared = cells_.state()});
  }

  /// The cells that read the context.
  CellSteps& last() { return second_ ? *second_ : cells_; }
  const AttentionSteps& attention() const { return attention_; }

  void forward(std::size_t t) {
    const Count& count = inputs_.cells.steps.counts[t];
    if (second_) cells_.forward(t);
    multiply(*graph_, {.x = first_rows(cells_.state().h, count),
                       .w = inputs_.query,
                       .y = first_rows(query_, count)});
    attention_.forward(t, query_);
    multiply(*graph_, {.x = first_rows(attention_.context(), count),
                       .w = inputs_.context,
                       .y = first_rows(product_, count)});
    last().forward(t, product_);
  }

  void backward() {
    const bool is_used = graph_->gradient(last().outputs()) ||
                         graph_->gradient(attention_.contexts()) ||
                         graph_->gradient(cells_.state().h);
    if (!is_used) return;
    last().begin_backward(CellSteps::Caller::kAddsGradients);
    if (second_) cells_.begin_backward(*second_);
    attention_.begin_backward();
    const Tensor dcontext = by_rank(inputs_.context.rows), dquery = by_rank(inputs_.query.columns);
    for (std::size_t t = inputs_.cells.steps.size(); t-- > 0;) {
      const Count& count = inputs_.cells.steps.counts[t];
      last().backward(t);
      multiply_transposed(*graph_, {.dy = first_rows(last().dinput(), count),
                                    .w = inputs_.context,
                                    .dx = first_rows(dcontext, count)});
      attention_.backward(t, {.dcontext = dcontext, .dquery = dquery, .adds = false});
      multiply_transposed(*graph_, {.dy = first_rows(dquery, count),
                                    .w = inputs_.query,
                                    .dx = first_rows(cells_.dh(), count),
                                    .result = Result::kAdded});
      if (second_) cells_.backward(t);
    }
    cells_.end_backward();
    if (second_) second_->end_backward();
    attention_.end_backward();
    add_weight_gradient(*graph_, attention_.contexts(), last().dinputs(), inputs_.context);
    add_weight_gradient(*graph_, last().before(), attention_.dqueries(), inputs_.query);
  }

 private:
  Tensor by_rank(std::uint32_t columns) const {
    return graph_->program().activation(inputs_.cells.steps.sentences(), columns);
  }

  Graph* graph_;
  AttentiveCellInputs inputs_;
  CellSteps cells_;
  AttentionSteps attention_;
  std::optional<CellSteps> second_;
  Tensor query_, product_;
};

}  // namespace

AttentiveLayer attentive_recurrent(Graph& graph, const AttentiveCellInputs& inputs) {
  AttentiveSteps steps(graph, inputs);
  for (std::size_t t = 0; t < inputs.cells.steps.size(); ++t) steps.forward(t);
  graph.tape([steps]() mutable { steps.backward(); });
  AttentiveLayer layer{steps.last().outputs(), steps.attention().contexts(), steps.last().state(),
                       std::nullopt};
  if (inputs.weights == AttentionSteps::Weights::kOutput)
    layer.attention_weights = steps.attention().weights();
  return layer;
}

}  // namespace awend::nn
