#include "nn/matrix_attention.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "nn/dropout.hpp"
#include "nn/shader_types.hpp"

namespace awend::nn {
namespace {

enum class Direction : std::uint32_t { kForward, kQuery, kKey };

/// Bytes of shared memory of the direction that needs most, as the shader lays them out.
std::uint32_t shared_bytes(std::uint32_t rows, const AttentionShape& shape) {
  const std::uint32_t lines = 2 * rows * (shape.d_k / 8 + 1 + shape.d_v / 8 + 1);
  const std::uint32_t scores = 2 * rows * (rows / 4 + 1);
  const std::uint32_t weights = 2 * rows * (rows / 8 + 1);
  constexpr std::uint32_t kOwn = 8;  // two words for the ends of the tile
  return 16 * (lines + scores + weights) + kOwn;
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
  // The tensors by binding, from 2 on; what a direction does not use is any other of its kind.
  const auto launch = [=, &program](Direction direction, const Count& rows, const Count& partners,
                                    std::vector<Tensor> tensors) {
    tensors.insert(tensors.begin(), step);
    program.launch(
        {.kernel = fp16 ? "attention_matrix_fp16" : "attention_matrix_bf16",
         .constants = {cut.threads, cut.rows, cut.rows, cut.fragment.rows, cut.fragment.columns,
                       cut.fragment.depth, static_cast<std::uint32_t>(direction), heads, d_k, d_v,
                       numbers.drops, fp16 ? 1u : 0u},
         .operands = std::move(tensors),
         .push_constants = bytes_of(
             AttentionPush{rows.word, partners.word, site, numbers.threshold, numbers.scale}),
         .x = Axis::rows(rows, cut.rows),
         .y = Axis::of(heads)});
  };

  const Tensor q = graph.operand(projections.q);
  const Tensor k = graph.operand(projections.k);
  const Tensor v = graph.operand(projections.v);
  const Tensor y = program.activation(q.rows, heads * d_v);
  const Tensor log_sum_exp = program.activation(q.rows, heads);
  launch(Direction::kForward, q.rows, k.rows,
         {ranges.keys_of_query, q, k, q, v, log_sum_exp, log_sum_exp, y, y, y});

  graph.record_attention(
      {ranges.keys_of_query, projections.q, projections.k, log_sum_exp, heads, d_k});

  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy) return;
    const auto dq = graph.gradient_target(projections.q);
    const auto dk = graph.gradient_target(projections.k);
    const auto dv = graph.gradient_target(projections.v);
    base::check(!dq.adds && !dk.adds && !dv.adds, "projections serve one attention each");
    const Tensor slope = graph.narrowed(*dy);
    const Tensor delta = program.activation(q.rows, heads);
    launch(Direction::kQuery, q.rows, k.rows,
           {ranges.keys_of_query, q, k, slope, v, log_sum_exp, delta, y, dq.tensor, dq.tensor});
    launch(Direction::kKey, k.rows, q.rows,
           {ranges.queries_of_key, k, q, v, slope, log_sum_exp, delta, y, dk.tensor, dv.tensor});
  });
  return y;
}

}  // namespace awend::nn
