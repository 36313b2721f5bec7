#include "nn/decoding.hpp"

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "nn/graph.hpp"
#include "nn/matmul/matmul.hpp"
#include "shaders/op_attention_cached.h"
#include "shaders/op_store_rows.h"
#include "shaders/op_top_k.h"

namespace awend::nn {
namespace {

std::uint64_t cache_bytes(const Engine& engine, std::uint32_t rows, std::uint32_t columns) {
  check_allocation(engine.limits(), {"", rows, columns, kSmallerBeam});
  return std::uint64_t{rows} * columns * 4;
}

}  // namespace

RowCache::RowCache(Engine& engine, std::uint32_t rows, std::uint32_t columns)
    : rows_(rows),
      columns_(columns),
      memory_(engine, vulkan::MemoryKind::kDevice, cache_bytes(engine, rows, columns),
              kSmallerBeam) {}

Tensor RowCache::tensor(Program& program) const {
  const Tensor tensor =
      program.external(memory_.range(0, memory_.size_bytes()), program.fixed(rows_), columns_);
  program.lowered_by(tensor, kSmallerBeam);
  return tensor;
}

void store_rows(Graph& graph, const Tensor& x, const Tensor& cache, const Tensor& places) {
  base::check(x.columns == cache.columns, "a cache has as many columns as the rows stored in it");
  graph.program().launch(StoreRowsLaunch{.constants = {.columns = x.columns},
                                         .operands = {.places = places, .x = x, .cache = cache},
                                         .push = {.rows_count = x.rows.word},
                                         .x = Axis::rows(x.rows, ROWS_PER_GROUP)});
}

std::uint32_t max_keys(const Engine& engine, const AttentionShape& shape) {
  const std::uint32_t lanes = engine.limits().subgroup_size;
  // Iterations for each block of keys: d_k / 4 for the scores, then one for each key.
  const std::uint64_t rounds_per_block = 1 + (shape.d_k + shape.d_v) / 4 + lanes;
  return static_cast<std::uint32_t>(kMaxIterations / rounds_per_block * lanes);
}

Tensor cached_attention(Graph& graph, const Projections& cached, const Ancestors& ancestors,
                        const AttentionShape& shape) {
  base::check(!graph.training(), "keys and values are cached in inference only");
  Program& program = graph.program();
  const std::uint32_t lanes = program.engine().limits().subgroup_size;
  const std::uint32_t per_lane = base::divide_up(shape.d_v / 4, lanes);
  const Tensor y = program.activation(cached.q.rows, shape.heads * shape.d_v);
  const std::size_t before = program.launches();
  if (shape.bias) {
    program.launch(
        AttentionCachedBiasedLaunch{.constants = {.heads = shape.heads,
                                                  .d_k = shape.d_k,
                                                  .d_v = shape.d_v,
                                                  .per_lane = per_lane,
                                                  .max_distance = shape.bias->max_distance()},
                                    .operands = {.past = ancestors.ranges,
                                                 .ancestors = ancestors.table,
                                                 .q = cached.q,
                                                 .k = cached.k,
                                                 .v = cached.v,
                                                 .y = y,
                                                 .bias = graph.value(shape.bias->table),
                                                 .buckets = shape.bias->buckets},
                                    .push = {.rows_count = cached.q.rows.word},
                                    .x = Axis::rows(cached.q.rows),
                                    .y = Axis::of(shape.heads)});
  } else {
    program.launch(AttentionCachedLaunch{.constants = {.heads = shape.heads,
                                                       .d_k = shape.d_k,
                                                       .d_v = shape.d_v,
                                                       .per_lane = per_lane},
                                         .operands = {.past = ancestors.ranges,
                                                      .ancestors = ancestors.table,
                                                      .q = cached.q,
                                                      .k = cached.k,
                                                      .v = cached.v,
                                                      .y = y},
                                         .push = {.rows_count = cached.q.rows.word},
                                         .x = Axis::rows(cached.q.rows),
                                         .y = Axis::of(shape.heads)});
  }
  program.set_flops(before,
                    2.0 * ancestors.table.rows.capacity * shape.heads * (shape.d_k + shape.d_v));
  return y;
}

Logits token_logits(Graph& graph, const Tensor& x, const OutputLayer& output) {
  const auto& [table, bias, masked_ids] = output;
  Program& program = graph.program();
  const Tensor logits = program.activation(x.rows, table.padded_rows());
  const auto b = graph.right_operand(table, Form::kNT);
  matmul(program,
         {.form = Form::kNT,
          .a = graph.left_operand(x, table),
          .b = b.tensor,
          .c = logits,
          .bias = bias ? std::optional(as_row(program, graph.value(*bias))) : std::nullopt},
         b.constant);
  const Logits all{logits, table.rows};
  if (!masked_ids.empty()) adjust(program, all, mask_of(program, masked_ids, x.rows.capacity));
  return all;
}

void adjust(Program& program, const Logits& logits, const TokenConstraints& constraints) {
  if (constraints.adjustments) adjust(program, logits, *constraints.adjustments);
}

TopK top_k(Program& program, const Logits& logits, std::uint32_t k,
           const TokenConstraints& constraints) {
  const auto& [values, vocabulary] = logits;
  const std::uint32_t lanes = program.engine().limits().subgroup_size;
  // Iterations for each block of a lane.
  const std::uint64_t of_block =
      base::divide_up(values.columns / 4, lanes * TOP_K_BLOCKS * TOP_K_STEP);
  const std::uint64_t butterfly = 7;
  const std::uint64_t rounds = TOP_K_BLOCKS * (2 * of_block + 1) + k * (of_block + butterfly);
  if (rounds > kMaxIterations) {
    throw base::LimitError({base::Message("selecting the best ", k, " of ", vocabulary,
                                          " tokens exceeds the loop iterations of a kernel"),
                            rounds,
                            kMaxIterations,
                            {kBeamSize}});
  }
  adjust(program, logits, constraints);
  const TopK best{program.output(values.rows, k), program.output(values.rows, k)};
  program.launch(TopKLaunch{.constants = {.columns = values.columns, .k = k},
                            .operands = {.forced_id = constraints.forced_id,
                                         .logits = values,
                                         .ids = best.ids,
                                         .log_probabilities = best.log_probabilities},
                            .push = {.rows_count = values.rows.word, .vocabulary = vocabulary},
                            .x = Axis::rows(values.rows)});
  return best;
}

}  // namespace awend::nn
