// Scaled dot-product attention with several heads, section 3.2.
#include "base/error.hpp"
#include "nn/dropout.hpp"
#include "nn/matrix_attention.hpp"
#include "nn/operations.hpp"
#include "nn/shader_types.hpp"
#include "nn/tiles.hpp"

namespace awend::nn {

namespace {

// Decoding has few queries for many keys: narrowing the keys of every step would cost more than
// matrix units save.
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
  const std::uint32_t lanes = program.engine().device.limits().subgroup_size;
  const std::uint32_t k_per_lane = (d_k / 4 + lanes - 1) / lanes;
  const std::uint32_t v_per_lane = (d_v / 4 + lanes - 1) / lanes;
  const DropoutNumbers numbers = dropout_numbers(graph.training() ? probability : 0.0);
  const std::uint32_t site = graph.next_site();
  const Tensor step = graph.step_scalars();
  const auto push_for = [=](const Count& rows, const Count& partners) {
    return bytes_of(
        AttentionPush{rows.word, partners.word, site, numbers.threshold, numbers.scale});
  };

  const AttentionTile tile = attention_tile(lanes);
  const std::vector<std::uint32_t> constants = {
      heads, d_k, d_v, k_per_lane, v_per_lane, numbers.drops, tile.rows, tile.keys_per_lane};

  const Tensor y = program.activation(q.rows, heads * d_v);
  const Tensor log_sum_exp = program.activation(q.rows, heads);
  program.launch({.kernel = "attention",
                  .constants = constants,
                  .operands = {step, ranges.keys_of_query, q, k, v, y, log_sum_exp},
                  .push_constants = push_for(q.rows, k.rows),
                  .x = Axis::rows(q.rows, tile.rows),
                  .y = Axis::of(heads)});

  graph.record_attention({ranges.keys_of_query, q, k, log_sum_exp, heads, d_k});

  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy) return;
    const auto dq = graph.gradient_target(q);
    const auto dk = graph.gradient_target(k);
    const auto dv = graph.gradient_target(v);
    base::check(!dq.adds && !dk.adds && !dv.adds, "projections serve one attention each");
    const Tensor delta = program.activation(q.rows, heads);
    program.launch(
        {.kernel = "attention_backward_query",
         .constants = constants,
         .operands = {step, ranges.keys_of_query, q, k, v, *dy, log_sum_exp, y, delta, dq.tensor},
         .push_constants = push_for(q.rows, k.rows),
         .x = Axis::rows(q.rows, tile.rows),
         .y = Axis::of(heads)});
    program.launch({.kernel = "attention_backward_key",
                    .constants = constants,
                    .operands = {step, ranges.queries_of_key, q, k, v, *dy, log_sum_exp, delta,
                                 dk.tensor, dv.tensor},
                    .push_constants = push_for(k.rows, q.rows),
                    .x = Axis::rows(k.rows, tile.rows),
                    .y = Axis::of(heads)});
  });
  return y;
}

std::uint32_t max_attended_keys(const Engine& engine, const AttentionShape& shape) {
  const std::uint32_t lanes = engine.device.limits().subgroup_size;
  const std::uint32_t keys = lanes * attention_tile(lanes).keys_per_lane;
  // For each block of keys: scores over d_k, then four keys a round.
  const std::uint64_t rounds_per_block = 1 + shape.d_k / 4 + keys / 4;
  return static_cast<std::uint32_t>(kMaxIterations / rounds_per_block * keys);
}

Tensor attention_weights(Graph& graph, const AttentionRecord& seen, std::uint32_t most_keys) {
  Program& program = graph.program();
  const Tensor weights = program.output(seen.q.rows, seen.heads * most_keys);
  program.launch({.kernel = "attention_weights",
                  .constants = {seen.heads, seen.d_k, most_keys},
                  .operands = {seen.key_ranges, seen.q, seen.k, seen.log_sum_exp, weights},
                  .push_constants = bytes_of(RowsPush{seen.q.rows.word}),
                  .x = Axis::rows(seen.q.rows),
                  .y = Axis::of(seen.heads)});
  return weights;
}

}  // namespace awend::nn
