#include "nn/shared_attention.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "nn/dropout.hpp"
#include "nn/matmul/tiles.hpp"
#include "shaders/op_attention_shared.h"

namespace awend::nn {
namespace {

// More rows read each partner less often, but need more shared memory and registers.  A thread has
// them on hardware of 32 lanes (see matmul/tiles.cpp).
constexpr std::uint32_t kManyRows = 32;
constexpr std::uint32_t kFewRows = 16;
constexpr std::uint32_t kMaxSums = 64;  // of a thread, in the kernel that has the most

/// Bytes of shared memory, in the layout of the shader, of the kernel that needs the most.
std::uint32_t shared_bytes(std::uint32_t rows, const AttentionShape& shape) {
  constexpr std::uint32_t kPartners = ATTENTION_SHARED_PARTNERS;
  const std::uint32_t stride = std::max(shape.d_k / 4 | 1, shape.d_v / 4 | 1);
  const std::uint32_t weights = kPartners * (rows / 2 + 2);
  const std::uint32_t maxima = rows * 8;
  constexpr std::uint32_t kTileEnds = 16;
  return 16 * (rows + kPartners) * stride + 8 * weights + 4 * (maxima + kTileEnds);
}

}  // namespace

std::optional<std::uint32_t> shared_attention_rows(const vulkan::Limits& limits,
                                                   const AttentionShape& shape) {
  constexpr std::uint32_t kThreads = ATTENTION_SHARED_THREADS;
  if (kThreads % limits.subgroup_size != 0 || kThreads > limits.workgroup_threads)
    return std::nullopt;
  const bool many =
      limits.hardware_lanes == 32 && kManyRows * (shape.d_k + shape.d_v) / kThreads <= kMaxSums;
  if (many && shared_bytes(kManyRows, shape) <= limits.shared_bytes) return kManyRows;
  if (shared_bytes(kFewRows, shape) <= limits.shared_bytes) return kFewRows;
  return std::nullopt;
}

std::optional<std::uint32_t> shared_attention_rows(const Engine& engine,
                                                   const AttentionShape& shape) {
  if (engine.host_threads || matmul_path(engine.device) != MatmulPath::kShared) return std::nullopt;
  return shared_attention_rows(engine.device.limits(), shape);
}

std::uint32_t max_shared_attention_keys(const AttentionShape& shape) {
  // Iterations for each block in the kernel that has the most: two products, two weighted sums, and
  // five copies.
  constexpr std::uint32_t kKeys = ATTENTION_SHARED_PARTNERS;
  const std::uint64_t width = std::max(shape.d_k, shape.d_v);
  const std::uint64_t rounds = 2 + 2 * (width / 4) + 2 * kKeys + 5 * (width / 8 + 1);
  return static_cast<std::uint32_t>(kMaxIterations / rounds * kKeys);
}

Tensor shared_attention(Graph& graph, const Projections& projections, const AttentionRanges& ranges,
                        const AttentionShape& shape, std::uint32_t rows) {
  const auto [heads, d_k, d_v, probability] = shape;
  const auto [q, k, v] = projections;
  Program& program = graph.program();
  const DropoutNumbers numbers = dropout_numbers(graph.training() ? probability : 0.0);
  const Tensor step = graph.step_scalars();
  const AttentionSharedConstants constants{.threads = ATTENTION_SHARED_THREADS,
                                           .own = rows,
                                           .heads = heads,
                                           .d_k = d_k,
                                           .d_v = d_v,
                                           .drops = numbers.drops};
  const AttentionSharedPush push{.rows_count = q.rows.word,
                                 .partners_count = k.rows.word,
                                 .site = graph.next_site(),
                                 .threshold = numbers.threshold,
                                 .scale = numbers.scale};
  const Tensor y = program.activation(q.rows, heads * d_v);
  const Tensor log_sum_exp = program.activation(q.rows, heads);
  program.launch(AttentionSharedLaunch{.constants = constants,
                                       .operands = {.step = step,
                                                    .key_ranges = ranges.keys_of_query,
                                                    .q = q,
                                                    .k = k,
                                                    .v = v,
                                                    .y = y,
                                                    .log_sum_exp = log_sum_exp},
                                       .push = push,
                                       .x = Axis::rows(q.rows, rows),
                                       .y = Axis::of(heads)});

  graph.record_attention({ranges.keys_of_query, q, k, log_sum_exp, heads, d_k});

  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy) return;
    const auto dq = graph.gradient_target(q);
    const auto dk = graph.gradient_target(k);
    const auto dv = graph.gradient_target(v);
    base::check(!dq.adds && !dk.adds && !dv.adds, "each projection is used by one attention");
    const Tensor deltas = program.activation(q.rows, heads);
    AttentionSharedPush key_push = push;
    key_push.rows_count = k.rows.word;
    key_push.partners_count = q.rows.word;
    program.launch(AttentionSharedQueryLaunch{.constants = constants,
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
                                              .x = Axis::rows(q.rows, rows),
                                              .y = Axis::of(heads)});
    program.launch(AttentionSharedKeyLaunch{.constants = constants,
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
                                            .x = Axis::rows(k.rows, rows),
                                            .y = Axis::of(heads)});
  });
  return y;
}

}  // namespace awend::nn
