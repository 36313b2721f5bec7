#include "nn/attention/guided.hpp"

#include "base/error.hpp"
#include "nn/graph.hpp"
#include "shaders/op_guided_attention.h"

namespace awend::nn {
namespace {

std::uint32_t constant_of(AlignmentCost cost) {
  return cost == AlignmentCost::kCrossEntropy ? GUIDED_CROSS_ENTROPY : GUIDED_SQUARED_ERROR;
}

/// Adds the gradients of the queries and of the keys.
void add_gradients(Graph& graph, const AttentionRecord& attention,
                   const GuidedAttentionInputs& inputs, const Tensor& dscores) {
  Program& program = graph.program();
  const auto dq = graph.gradient_target(attention.q), dk = graph.gradient_target(attention.k);
  base::check(dq.adds && dk.adds, "the attention writes the gradients of its projections");
  const Count &queries = attention.q.rows, &keys = attention.k.rows;
  const std::size_t before = program.launches();
  program.launch(GuidedAttentionQueryLaunch{.constants = {.heads = attention.heads,
                                                          .d_k = attention.d_k,
                                                          .head = inputs.head,
                                                          .stride = inputs.max_keys},
                                            .operands = {.key_ranges = attention.key_ranges,
                                                         .dscores = dscores,
                                                         .k = attention.k,
                                                         .dq = dq.tensor},
                                            .push = {.rows_count = queries.word},
                                            .x = Axis::rows(queries)});
  program.launch(GuidedAttentionKeyLaunch{.constants = {.heads = attention.heads,
                                                        .d_k = attention.d_k,
                                                        .head = inputs.head,
                                                        .stride = inputs.max_keys},
                                          .operands = {.key_ranges = attention.key_ranges,
                                                       .queries_of_key = inputs.queries_of_key,
                                                       .dscores = dscores,
                                                       .q = attention.q,
                                                       .dk = dk.tensor},
                                          .push = {.rows_count = keys.word},
                                          .x = Axis::rows(keys)});
  program.set_flops(before, 4.0 * queries.capacity * inputs.max_keys * attention.d_k);
}

}  // namespace

GuidedAttentionLoss::GuidedAttentionLoss(Graph& graph, const AttentionRecord& attention,
                                         const GuidedAttentionInputs& inputs)
    : Loss(graph.program(), graph.program().activation(attention.q.rows, 2)) {
  base::check(!attention.bias && inputs.head < attention.heads,
              "a head without relative positions is guided");
  const Count& queries = attention.q.rows;
  const Tensor dscores = program().activation(queries, inputs.max_keys);
  const std::size_t before = program().launches();
  program().launch(GuidedAttentionLaunch{
      .constants = {.heads = attention.heads,
                    .d_k = attention.d_k,
                    .head = inputs.head,
                    .stride = inputs.max_keys,
                    .words = link_words(inputs.max_keys),
                    .cost = constant_of(inputs.settings.cost)},
      .operands = {.step = graph.step_scalars(),
                   .key_ranges = attention.key_ranges,
                   .links = inputs.links,
                   .q = attention.q,
                   .k = attention.k,
                   .dscores = dscores,
                   .costs = rows()},
      .push = {.rows_count = queries.word, .weight = static_cast<float>(inputs.settings.weight)},
      .x = Axis::rows(queries)});
  program().set_flops(before, 2.0 * queries.capacity * inputs.max_keys * attention.d_k);
  append_totals();
  // Rules run in reverse: that of the attention, which its operation appends next, comes first.
  graph.tape([=, &graph] { add_gradients(graph, attention, inputs, dscores); });
}

}  // namespace awend::nn
