#include "nn/recurrent/step_attention.hpp"

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "nn/column_sum.hpp"
#include "nn/graph.hpp"
#include "nn/recurrent/move_rows.hpp"
#include "nn/recurrent/products.hpp"
#include "shaders/op_attention_center.h"
#include "shaders/op_step_attention.h"
#include "shaders/op_step_attention_keys.h"

namespace awend::nn {
namespace {

std::uint32_t lanes_of(Graph& graph) {
  return graph.program().engine().limits().subgroup_size;
}

}  // namespace

std::uint32_t max_step_keys(const Engine& engine, std::uint32_t columns,
                            std::uint32_t value_columns) {
  const std::uint32_t lanes = engine.limits().subgroup_size;
  // Iterations for each block of keys, at most: a score, then one for each key; backward, a sum
  // over values instead of the score.
  const std::uint64_t rounds_per_block = 2 + std::max(columns, value_columns) / 4 + lanes;
  return static_cast<std::uint32_t>(kMaxIterations / rounds_per_block * lanes);
}

AttentionSteps::AttentionSteps(Graph& graph, const AttentionMemory& memory, const Steps& steps,
                               const Count& rows, Weights weights)
    : graph_(&graph), memory_(memory), steps_(steps), rows_(rows) {
  Program& program = graph.program();
  const std::uint32_t width = memory.values.columns;
  context_ = program.activation(steps.sentences(), width);
  contexts_ = program.activation(rows, width);
  if (weights == Weights::kOutput) {
    weights_ = program.output(rows, memory.max_keys);
  } else if (graph.training()) {
    weights_ = program.activation(rows, memory.max_keys);
  }
  if (weights_) queries_ = program.activation(rows, memory.keys.columns);
  base::check(!memory.window || (!memory.additive && !memory.softmax && memory.slots == 0),
              "a window is one of plain dot products");
  if (!predicts()) return;
  const std::uint32_t inner = memory.window->predicted->v.columns;
  centers_ = program.activation(rows, 1);
  product_ = program.activation(steps.sentences(), inner);
  if (graph.training()) products_ = program.activation(rows, inner);
}

/// Any tensor of one column if the weights always are a softmax: kernels do not read it then.
Tensor AttentionSteps::softmax() const {
  return memory_.softmax ? graph_->value(*memory_.softmax) : steps_.table;
}

/// Any tensor of one column without a window: kernels do not read it then.
Tensor AttentionSteps::centers() const {
  if (!memory_.window) return steps_.table;
  return centers_ ? *centers_ : *memory_.window->centers;
}

void AttentionSteps::predict_centers(std::size_t t, const Tensor& query) {
  const auto& [w, v] = *memory_.window->predicted;
  const Count& count = steps_.counts[t];
  multiply(*graph_, {.x = first_rows(query, count), .w = w, .y = first_rows(*product_, count)});
  graph_->program().launch(
      AttentionCenterLaunch{.constants = {.columns = v.columns, .keep = products_.has_value()},
                            .operands = {.table = steps_.table,
                                         .ranges = memory_.keys_of_query,
                                         .z = *product_,
                                         .v = graph_->value(v),
                                         .centers = *centers_,
                                         .products = products_.value_or(*product_)},
                            .push = {.rows_count = count.word},
                            .x = Axis::rows(count)});
}

/// Adds the gradient of the query of the center of step t, whose attention is differentiated.
void AttentionSteps::backward_centers(std::size_t t, const Tensor& dquery) {
  const auto& [w, v] = *memory_.window->predicted;
  const Count& count = steps_.counts[t];
  graph_->program().launch(
      AttentionCenterBackwardLaunch{.constants = {.columns = v.columns},
                                    .operands = {.table = steps_.table,
                                                 .ranges = memory_.keys_of_query,
                                                 .products = *products_,
                                                 .v = graph_->value(v),
                                                 .centers = *centers_,
                                                 .dcenters = *dcenters_,
                                                 .dz = *dproduct_,
                                                 .dproducts = *dproducts_,
                                                 .dv = *dv_},
                                    .push = {.rows_count = count.word},
                                    .x = Axis::rows(count)});
  multiply_transposed(*graph_, {.dy = first_rows(*dproduct_, count),
                                .w = w,
                                .dx = first_rows(dquery, count),
                                .result = Result::kAdded});
}

void AttentionSteps::end_centers() {
  const auto& [w, v] = *memory_.window->predicted;
  add_weight_gradient(*graph_, *queries_, *dproducts_, w);
  if (graph_->trains(v)) add_column_sums(graph_->program(), *dv_, graph_->parameter_gradient(v));
}

void AttentionSteps::forward(std::size_t t, const Tensor& query) {
  if (predicts()) predict_centers(t, query);
  const std::uint32_t width = memory_.values.columns;
  const Count& count = steps_.counts[t];
  graph_->program().launch(StepAttentionLaunch{
      .constants = {.columns = memory_.keys.columns,
                    .value_columns = width,
                    .per_lane = base::divide_up(width / 4, lanes_of(*graph_)),
                    .additive = memory_.additive.has_value(),
                    .stride = weights_ ? memory_.max_keys : width,
                    .keep = weights_.has_value(),
                    .switched = memory_.softmax.has_value(),
                    .slots = memory_.slots,
                    .window = window(),
                    .gaussian = predicts()},
      .operands = {.table = steps_.table,
                   .ranges = memory_.keys_of_query,
                   .q = query,
                   .v = memory_.additive ? graph_->value(*memory_.additive) : memory_.keys,
                   .k = memory_.keys,
                   .values = memory_.values,
                   .context = context_,
                   .contexts = contexts_,
                   .queries = queries_.value_or(query),
                   .weights = weights_.value_or(contexts_),
                   .softmax = softmax(),
                   .centers = centers()},
      .push = {.rows_count = count.word},
      .x = Axis::rows(count)});
}

void AttentionSteps::begin_backward() {
  Program& program = graph_->program();
  const auto dcontexts = graph_->gradient(contexts_);
  has_dcontexts_ = dcontexts.has_value();
  dcontexts_ = dcontexts ? *dcontexts : program.activation(rows_, contexts_.columns);
  dscores_ = program.activation(rows_, memory_.max_keys);
  dqueries_ = program.activation(rows_, memory_.keys.columns);
  dcenters_ = program.activation(rows_, 1);
  if (!predicts()) return;
  dproduct_ = program.activation(steps_.sentences(), product_->columns);
  dproducts_ = program.activation(rows_, product_->columns);
  dv_ = program.activation(rows_, product_->columns);
}

void AttentionSteps::backward(std::size_t t, const StepGradients& gradients) {
  const auto& [dcontext, dquery, adds] = gradients;
  const Count& count = steps_.counts[t];
  if (dcontext) {
    move_rows(graph_->program(), {.x = *dcontext,
                                  .y = *dcontexts_,
                                  .rows = count,
                                  .table = steps_.table,
                                  .by = RowMove::By::kScatter,
                                  .adds = has_dcontexts_});
  }
  const std::uint32_t columns = memory_.keys.columns;
  graph_->program().launch(StepAttentionBackwardLaunch{
      .constants = {.columns = columns,
                    .value_columns = memory_.values.columns,
                    .per_lane = base::divide_up(columns / 4, lanes_of(*graph_)),
                    .additive = memory_.additive.has_value(),
                    .stride = memory_.max_keys,
                    .add = adds,
                    .switched = memory_.softmax.has_value(),
                    .window = window(),
                    .gaussian = predicts()},
      .operands = {.table = steps_.table,
                   .ranges = memory_.keys_of_query,
                   .queries = *queries_,
                   .v = memory_.additive ? graph_->value(*memory_.additive) : memory_.keys,
                   .k = memory_.keys,
                   .values = memory_.values,
                   .weights = *weights_,
                   .dcontexts = *dcontexts_,
                   .dscores = *dscores_,
                   .dq = dquery,
                   .dqueries = *dqueries_,
                   .softmax = softmax(),
                   .centers = centers(),
                   .dcenters = *dcenters_},
      .push = {.rows_count = count.word},
      .x = Axis::rows(count)});
  if (predicts()) backward_centers(t, dquery);
}

void AttentionSteps::end_backward() {
  if (predicts()) end_centers();
  Program& program = graph_->program();
  const Count& keys = memory_.keys.rows;
  const auto groups = [&](const Tensor& tensor) {
    return Axis::of(base::divide_up(tensor.columns / 4, lanes_of(*graph_)));
  };
  const auto dvalues = graph_->gradient_target(memory_.values);
  program.launch(StepAttentionValuesLaunch{.constants = {.columns = memory_.values.columns,
                                                         .stride = memory_.max_keys,
                                                         .add = dvalues.adds},
                                           .operands = {.queries_of_key = memory_.queries_of_key,
                                                        .keys_of_query = memory_.keys_of_query,
                                                        .weights = *weights_,
                                                        .dcontexts = *dcontexts_,
                                                        .dvalues = dvalues.tensor},
                                           .push = {.rows_count = keys.word},
                                           .x = Axis::rows(keys),
                                           .y = groups(memory_.values)});
  const auto dkeys = graph_->gradient_target(memory_.keys);
  const Tensor dv =
      memory_.additive ? program.activation(keys, memory_.keys.columns) : dkeys.tensor;
  program.launch(StepAttentionKeysLaunch{
      .constants = {.columns = memory_.keys.columns,
                    .additive = memory_.additive.has_value(),
                    .stride = memory_.max_keys,
                    .add = dkeys.adds},
      .operands = {.queries_of_key = memory_.queries_of_key,
                   .keys_of_query = memory_.keys_of_query,
                   .queries = *queries_,
                   .v = memory_.additive ? graph_->value(*memory_.additive) : memory_.keys,
                   .k = memory_.keys,
                   .dscores = *dscores_,
                   .dk = dkeys.tensor,
                   .dv = dv},
      .push = {.rows_count = keys.word},
      .x = Axis::rows(keys),
      .y = groups(memory_.keys)});
  if (memory_.additive && graph_->trains(*memory_.additive))
    add_column_sums(program, dv, graph_->parameter_gradient(*memory_.additive));
}

Tensor attend_all(Graph& graph, const Tensor& queries, const AttentionMemory& memory,
                  const Steps& one_step, std::optional<Tensor>* weights) {
  AttentionSteps attention(
      graph, memory, one_step, queries.rows,
      weights == nullptr ? AttentionSteps::Weights::kInternal : AttentionSteps::Weights::kOutput);
  attention.forward(0, queries);
  if (weights != nullptr) *weights = attention.weights();
  graph.tape([attention, queries, &graph]() mutable {
    if (!graph.gradient(attention.contexts())) return;
    const auto dquery = graph.gradient_target(queries);
    attention.begin_backward();
    attention.backward(0, {.dcontext = std::nullopt, .dquery = dquery.tensor, .adds = dquery.adds});
    attention.end_backward();
  });
  return attention.contexts();
}

}  // namespace awend::nn
