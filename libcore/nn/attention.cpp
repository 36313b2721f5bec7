// Scaled dot-product attention with several heads, section 3.2.
#include "base/error.hpp"
#include "base/numbers.hpp"
#include "nn/attention_tile.hpp"
#include "nn/dropout.hpp"
#include "nn/host_forms.hpp"
#include "nn/matrix_attention.hpp"
#include "nn/operations.hpp"
#include "nn/shared_attention.hpp"
#include "shaders/op_attention.h"
#include "shaders/op_attention_backward.h"
#include "shaders/op_attention_weights.h"

namespace awend::nn {

namespace {

// Decoding has few queries for many keys: rounding the keys to 16 bits in every step would cost
// more time than matrix units save.
constexpr std::uint32_t kFewQueries = 256;

}  // namespace

Tensor attention(Graph& graph, const Projections& projections, const AttentionRanges& ranges,
                 const AttentionShape& shape) {
  const auto cut = matrix_attention_cut(graph.program().engine().device.limits(),
                                        graph.operand_element(), shape);
  const bool many = graph.training() || projections.q.rows.capacity > kFewQueries;
  if (cut && many) return matrix_attention(graph, projections, ranges, shape, *cut);
  return portable_attention(graph, projections, ranges, shape);
}

Tensor portable_attention(Graph& graph, const Projections& projections,
                          const AttentionRanges& ranges, const AttentionShape& shape) {
  const auto [heads, d_k, d_v, probability] = shape;
  const auto [q, k, v] = projections;
  base::check(q.columns == heads * d_k && k.columns == heads * d_k && v.columns == heads * d_v,
              "projections have heads · d_k or heads · d_v columns");
  Program& program = graph.program();
  if (const auto rows = shared_attention_rows(program.engine(), shape))
    return shared_attention(graph, projections, ranges, shape, *rows);
  const std::uint32_t lanes = program.engine().device.limits().subgroup_size;
  const std::uint32_t k_per_lane = base::divide_up(d_k / 4, lanes);
  const std::uint32_t v_per_lane = base::divide_up(d_v / 4, lanes);
  const DropoutNumbers numbers = dropout_numbers(graph.training() ? probability : 0.0);
  const std::uint32_t site = graph.next_site();
  const Tensor step = graph.step_scalars();
  const AttentionTile tile = attention_tile(lanes);
  const AttentionConstants constants{.heads = heads,
                                     .d_k = d_k,
                                     .d_v = d_v,
                                     .k_per_lane = k_per_lane,
                                     .v_per_lane = v_per_lane,
                                     .drops = numbers.drops,
                                     .tile_rows = tile.rows,
                                     .keys_per_lane = tile.keys_per_lane};
  const AttentionPush push{.rows_count = q.rows.word,
                           .partners_count = k.rows.word,
                           .site = site,
                           .threshold = numbers.threshold,
                           .scale = numbers.scale};

  const Tensor y = program.activation(q.rows, heads * d_v);
  const Tensor log_sum_exp = program.activation(q.rows, heads);
  program.launch(with_host_form(AttentionLaunch{.constants = constants,
                                                .operands = {.step = step,
                                                             .key_ranges = ranges.keys_of_query,
                                                             .q = q,
                                                             .k = k,
                                                             .v = v,
                                                             .y = y,
                                                             .log_sum_exp = log_sum_exp},
                                                .push = push,
                                                .x = Axis::rows(q.rows, tile.rows),
                                                .y = Axis::of(heads)}));

  graph.record_attention({ranges.keys_of_query, q, k, log_sum_exp, heads, d_k});

  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy) return;
    const auto dq = graph.gradient_target(q);
    const auto dk = graph.gradient_target(k);
    const auto dv = graph.gradient_target(v);
    base::check(!dq.adds && !dk.adds && !dv.adds, "each projection is used by one attention");
    const Tensor deltas = program.activation(q.rows, heads);
    AttentionPush key_push = push;
    key_push.rows_count = k.rows.word;
    key_push.partners_count = q.rows.word;
    program.launch(
        with_host_form(AttentionBackwardQueryLaunch{.constants = constants,
                                                    .operands = {.step = step,
                                                                 .ranges = ranges.keys_of_query,
                                                                 .q = q,
                                                                 .k = k,
                                                                 .v = v,
                                                                 .dy = *dy,
                                                                 .log_sum_exp = log_sum_exp,
                                                                 .y = y,
                                                                 .deltas = deltas,
                                                                 .dq = dq.tensor},
                                                    .push = push,
                                                    .x = Axis::rows(q.rows, tile.rows),
                                                    .y = Axis::of(heads)}));
    program.launch(
        with_host_form(AttentionBackwardKeyLaunch{.constants = constants,
                                                  .operands = {.step = step,
                                                               .ranges = ranges.queries_of_key,
                                                               .q = q,
                                                               .k = k,
                                                               .v = v,
                                                               .dy = *dy,
                                                               .log_sum_exp = log_sum_exp,
                                                               .deltas = deltas,
                                                               .dk = dk.tensor,
                                                               .dv = dv.tensor},
                                                  .push = key_push,
                                                  .x = Axis::rows(k.rows, tile.rows),
                                                  .y = Axis::of(heads)}));
  });
  return y;
}

std::uint32_t max_attended_keys(const Engine& engine, const AttentionShape& shape) {
  if (shared_attention_rows(engine, shape)) return max_shared_attention_keys(shape);
  const std::uint32_t lanes = engine.device.limits().subgroup_size;
  const std::uint32_t keys = lanes * attention_tile(lanes).keys_per_lane;
  // Iterations for each block of keys: d_k / 4 for the scores, then one for each four keys.
  const std::uint64_t rounds_per_block = 1 + shape.d_k / 4 + keys / 4;
  return static_cast<std::uint32_t>(kMaxIterations / rounds_per_block * keys);
}

Tensor attention_weights(Graph& graph, const AttentionRecord& attention, std::uint32_t max_keys) {
  Program& program = graph.program();
  const auto& [key_ranges, q, k, log_sum_exp, heads, d_k] = attention;
  const Tensor weights = program.output(q.rows, heads * max_keys);
  program.launch(with_host_form(
      AttentionWeightsLaunch{.constants = {.heads = heads, .d_k = d_k, .stride = max_keys},
                             .operands = {.key_ranges = key_ranges,
                                          .q = q,
                                          .k = k,
                                          .log_sum_exp = log_sum_exp,
                                          .weights = weights},
                             .push = {.rows_count = q.rows.word},
                             .x = Axis::rows(q.rows),
                             .y = Axis::of(heads)}));
  return weights;
}

}  // namespace awend::nn
