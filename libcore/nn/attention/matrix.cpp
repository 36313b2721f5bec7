#include "nn/attention/matrix.hpp"

#include <algorithm>

#include "shaders/op_attention_matrix.h"

namespace awend::nn {
namespace {

/// Bytes of shared memory, in the layout of the shader, of the direction that needs the most.
std::uint32_t shared_bytes(std::uint32_t rows, const AttentionShape& shape, std::uint32_t subgroups,
                           const vulkan::MatrixShape& fragment) {
  const std::uint32_t lines = 2 * rows * (shape.d_k / 8 + 1 + shape.d_v / 8 + 1);
  const std::uint32_t scores = 2 * rows * (rows / 4 + 1);
  const std::uint32_t weights = 2 * rows * (rows / 8 + 1);
  const std::uint32_t scratch = subgroups * fragment.rows * fragment.columns / 4;
  constexpr std::uint32_t kTileEnds = 8;  // two words
  return 16 * std::max(lines + scores + weights, scratch) + kTileEnds;
}

bool fits(const vulkan::Limits& limits, const vulkan::MatrixShape& fragment, std::uint32_t rows,
          const AttentionShape& shape) {
  const std::uint32_t threads = rows * rows / 8;
  const std::uint32_t bytes = shared_bytes(rows, shape, threads / limits.subgroup_size, fragment);
  const auto divides = [](std::uint32_t side, std::uint32_t length) { return length % side == 0; };
  return threads >= limits.subgroup_size && threads <= limits.workgroup_threads &&
         rows / 8 <= limits.subgroup_size && bytes <= limits.shared_bytes &&
         divides(fragment.rows, rows) && divides(fragment.columns, rows) &&
         divides(fragment.depth, rows) && divides(fragment.depth, shape.d_k) &&
         divides(fragment.columns, shape.d_k) && divides(fragment.depth, shape.d_v) &&
         divides(fragment.columns, shape.d_v);
}

/// A direction that does not use an operand is given another that it uses.
AttentionMatrixOperands operands_of(const AttentionPart& part) {
  const auto& [ranges, projections, y, log_sum_exp, dy, deltas, dq, dk, dv, sums] = part.tensors;
  const auto& [q, k, v] = projections;
  switch (part.direction) {
    case AttentionDirection::kForward:
      return {.step = part.step_scalars,
              .ranges = ranges.keys_of_query,
              .own_k = q,
              .other_k = k,
              .own_v = q,
              .other_v = v,
              .log_sum_exp = log_sum_exp,
              .deltas = log_sum_exp,
              .y = y,
              .out_k = y,
              .out_v = y};
    case AttentionDirection::kQuery:
      return {.step = part.step_scalars,
              .ranges = ranges.keys_of_query,
              .own_k = q,
              .other_k = k,
              .own_v = dy,
              .other_v = v,
              .log_sum_exp = log_sum_exp,
              .deltas = deltas,
              .y = y,
              .out_k = dq,
              .out_v = dq};
    case AttentionDirection::kKey:
      break;
  }
  return {.step = part.step_scalars,
          .ranges = ranges.queries_of_key,
          .own_k = k,
          .other_k = q,
          .own_v = v,
          .other_v = dy,
          .log_sum_exp = log_sum_exp,
          .deltas = deltas,
          .y = y,
          .out_k = dk,
          .out_v = dv};
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

AttentionKernels matrix_attention_kernels(const MatrixAttentionCut& cut) {
  const auto launch = [cut](Program& program, const AttentionPart& part) {
    const bool fp16 = cut.fragment.element == vulkan::MatrixElement::kFloat16;
    program.launch(
        AttentionMatrixLaunch{.kernel = fp16 ? "attention_matrix_fp16" : "attention_matrix_bf16",
                              .constants = {.threads = cut.threads,
                                            .own = cut.rows,
                                            .other_rows = cut.rows,
                                            .fragment_rows = cut.fragment.rows,
                                            .fragment_columns = cut.fragment.columns,
                                            .fragment_depth = cut.fragment.depth,
                                            .direction = static_cast<std::uint32_t>(part.direction),
                                            .heads = part.shape.heads,
                                            .d_k = part.shape.d_k,
                                            .d_v = part.shape.d_v,
                                            .drops = part.dropout.drops,
                                            .fp16 = fp16},
                              .operands = operands_of(part),
                              .push = attention_push<AttentionMatrixPush>(part),
                              .x = Axis::rows(part.rows, cut.rows),
                              .y = Axis::of(part.shape.heads)});
  };
  return {.on_matrix_units = true, .launch = launch};
}

}  // namespace awend::nn
