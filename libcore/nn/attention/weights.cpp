// The weights of attention, for the host.
#include "nn/graph.hpp"
#include "nn/operations.hpp"
#include "shaders/op_attention_weights.h"

namespace awend::nn {

Tensor attention_weights(Graph& graph, const AttentionRecord& attention, std::uint32_t max_keys) {
  Program& program = graph.program();
  const auto& [key_ranges, q, k, log_sum_exp, heads, d_k, bias] = attention;
  const Tensor weights = program.output(q.rows, heads * max_keys);
  const std::size_t before = program.launches();
  if (bias) {
    program.launch(AttentionWeightsBiasedLaunch{.constants = {.heads = heads,
                                                              .d_k = d_k,
                                                              .stride = max_keys,
                                                              .max_distance = bias->max_distance()},
                                                .operands = {.key_ranges = key_ranges,
                                                             .q = q,
                                                             .k = k,
                                                             .log_sum_exp = log_sum_exp,
                                                             .weights = weights,
                                                             .bias = graph.value(bias->table),
                                                             .buckets = bias->buckets},
                                                .push = {.rows_count = q.rows.word},
                                                .x = Axis::rows(q.rows),
                                                .y = Axis::of(heads)});
  } else {
    program.launch(
        AttentionWeightsLaunch{.constants = {.heads = heads, .d_k = d_k, .stride = max_keys},
                               .operands = {.key_ranges = key_ranges,
                                            .q = q,
                                            .k = k,
                                            .log_sum_exp = log_sum_exp,
                                            .weights = weights},
                               .push = {.rows_count = q.rows.word},
                               .x = Axis::rows(q.rows),
                               .y = Axis::of(heads)});
  }
  program.set_flops(before, 2.0 * q.rows.capacity * max_keys * q.columns);
  return weights;
}

}  // namespace awend::nn
