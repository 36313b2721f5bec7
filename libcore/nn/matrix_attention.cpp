#include "nn/matrix_attention.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "nn/dropout.hpp"
#include "shaders/op_attention_matrix.h"

namespace awend::nn {
namespace {

enum class Direction : std::uint32_t { kForward, kQuery, kKey };

/// Bytes of shared memory, in the layout of the shader, of the direction that needs the most.
std::uint32_t shared_bytes(std::uint32_t rows, const AttentionShape& shape) {
  const std::uint32_t lines = 2 * rows * (shape.d_k / 8 + 1 + shape.d_v / 8 + 1);
  const std::uint32_t scores = 2 * rows * (rows / 4 + 1);
  const std::uint32_t weights = 2 * rows * (rows / 8 + 1);
  constexpr std::uint32_t kTileEnds = 8;  // two words
  return 16 * (lines + scores + weights) + kTileEnds;
}

bool fits(const vulkan::Limits& limits, const vulkan::MatrixShape& fragment, std::uint32_t rows,
          const AttentionShape& shape) {
  const std::uint32_t threads = rows * rows / 8;
  const auto divides = [](std::uint32_t side, std::uint32_t length) { return length % side == 0; };
  return threads >= limits.subgroup_size && threads <= limits.workgroup_threads &&
         rows / 8 <= limits.subgroup_size && shared_bytes(rows, shape) <= limits.shared_bytes &&
         divides(fragment.rows, rows) && divides(fragment.columns, rows) &&
         divides(fragment.depth, rows) && divides(fragment.depth, shape.d_k) &&
         divides(fragment.columns, shape.d_k) && divides(fragment.depth, shape.d_v) &&
         divides(fragment.columns, shape.d_v);
}

}  // namespace

std::optional<MatrixAttentionCut> matrix_attention_cut(const vulkan::Limits& limits,
                                                       Element operands,
                                                       const AttentionShape& shape) {
  if (operands == Element::kFloat32) return std::nullopt;
  const auto element = operands == Element::kFloat16 ? vulkan::MatrixElement::kFloat16
                                                     : vulkan::MatrixElement::kBfloat16;
  for (const std::uint32_t rows : {64u, 32u, 16u}) {
    for (const auto& fragment : limits.matrix_shapes) {
      if (fragment.element == element && fits(limits, fragment, rows, shape))
        return MatrixAttentionCut{fragment, rows, rows * rows / 8};
    }
  }
  return std::nullopt;
}

Tensor matrix_attention(Graph& graph, const Projections& projections, const AttentionRanges& ranges,
                        const AttentionShape& shape, const MatrixAttentionCut& cut) {
  const auto [heads, d_k, d_v, probability] = shape;
  Program& program = graph.program();
  const DropoutNumbers numbers = dropout_numbers(graph.training() ? probability : 0.0);
  const std::uint32_t site = graph.next_site();
  const Tensor step = graph.step_scalars();
  const bool fp16 = cut.fragment.element == vulkan::MatrixElement::kFloat16;
  const auto launch = [=, &program](Direction direction, const AttentionMatrixOperands& operands,
                                    const Count& rows, const Count& partners) {
    program.launch(
        AttentionMatrixLaunch{.kernel = fp16 ? "attention_matrix_fp16" : "attention_matrix_bf16",
                              .constants = {.threads = cut.threads,
                                            .own = cut.rows,
                                            .partners = cut.rows,
                                            .fragment_rows = cut.fragment.rows,
                                            .fragment_columns = cut.fragment.columns,
                                            .fragment_depth = cut.fragment.depth,
                                            .direction = static_cast<std::uint32_t>(direction),
                                            .heads = heads,
                                            .d_k = d_k,
                                            .d_v = d_v,
                                            .drops = numbers.drops,
                                            .fp16 = fp16},
                              .operands = operands,
                              .push = {.rows_count = rows.word,
                                       .partners_count = partners.word,
                                       .site = site,
                                       .threshold = numbers.threshold,
                                       .scale = numbers.scale},
                              .x = Axis::rows(rows, cut.rows),
                              .y = Axis::of(heads)});
  };

  const Tensor q = graph.operand(projections.q);
  const Tensor k = graph.operand(projections.k);
  const Tensor v = graph.operand(projections.v);
  const Tensor y = program.activation(q.rows, heads * d_v);
  const Tensor log_sum_exp = program.activation(q.rows, heads);
  // Not used by this direction: own_v, deltas, y, out_k.
  launch(Direction::kForward,
         {.step = step,
          .ranges = ranges.keys_of_query,
          .own_k = q,
          .partner_k = k,
          .own_v = q,
          .partner_v = v,
          .log_sum_exp = log_sum_exp,
          .deltas = log_sum_exp,
          .y = y,
          .out_k = y,
          .out_v = y},
         q.rows, k.rows);

  graph.record_attention(
      {ranges.keys_of_query, projections.q, projections.k, log_sum_exp, heads, d_k});

  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy) return;
    const auto dq = graph.gradient_target(projections.q);
    const auto dk = graph.gradient_target(projections.k);
    const auto dv = graph.gradient_target(projections.v);
    base::check(!dq.adds && !dk.adds && !dv.adds, "each projection is used by one attention");
    const Tensor slope = graph.narrowed(*dy);
    const Tensor deltas = program.activation(q.rows, heads);
    launch(Direction::kQuery,
           {.step = step,
            .ranges = ranges.keys_of_query,
            .own_k = q,
            .partner_k = k,
            .own_v = slope,
            .partner_v = v,
            .log_sum_exp = log_sum_exp,
            .deltas = deltas,
            .y = y,
            .out_k = dq.tensor,
            .out_v = dq.tensor},  // not used
           q.rows, k.rows);
    launch(Direction::kKey,
           {.step = step,
            .ranges = ranges.queries_of_key,
            .own_k = k,
            .partner_k = q,
            .own_v = v,
            .partner_v = slope,
            .log_sum_exp = log_sum_exp,
            .deltas = deltas,
            .y = y,  // not used
            .out_k = dk.tensor,
            .out_v = dv.tensor},
           k.rows, q.rows);
  });
  return y;
}

}  // namespace awend::nn
