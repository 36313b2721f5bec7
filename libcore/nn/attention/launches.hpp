// What the kernels of attention have in common: one for the forward pass and two for the gradients,
// in families (subgroup.hpp, shared.hpp, matrix.hpp, biased.hpp).
// Test: tests/kernels/attention_parts_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "nn/dropout.hpp"
#include "nn/operations.hpp"

namespace awend::nn {

/// The numbers are those of the constant DIRECTION in shaders/op_attention_matrix.h.
enum class AttentionDirection : std::uint32_t {
  kForward,  ///< y and log_sum_exp of queries
  kQuery,    ///< deltas and dq
  kKey,      ///< dk and dv, after kQuery
};

/// The operands of all directions.  `y` is also read by kQuery.
struct AttentionTensors {
  AttentionRanges ranges;
  Projections projections;
  Tensor y;            ///< (query rows, heads · d_v)
  Tensor log_sum_exp;  ///< (query rows, heads)
  // Unset in the forward pass:
  Tensor dy = {};
  Tensor deltas = {};  ///< (query rows, heads)
  Tensor dq = {}, dk = {}, dv = {};
  /// (query rows, buckets · heads), in kQuery, if the biases of relative positions are trained.
  std::optional<Tensor> bias_sums = {};
};

/// One launch, for all rows or some of them: queries, in kKey keys.
struct AttentionPart {
  AttentionDirection direction;
  AttentionShape shape;
  AttentionTensors tensors;  ///< Those of the rows begin with the first of them.
  Count rows;
  Count other_rows;  ///< All rows of the other side.
  Tensor step_scalars;
  DropoutNumbers dropout;
  std::uint32_t dropout_id;
};

/// A family of kernels on a device.
struct AttentionKernels {
  /// Whether q, k, v and dy are operands of matrix units (Graph::operand(), Graph::narrowed()).
  bool on_matrix_units = false;
  std::function<void(Program&, const AttentionPart&)> launch;
};

/// As attention(), by these kernels.  A launch processes at most `step` rows: a multiple of 64, or
/// 0 for as many as a submission may.  The result has the same bits for every step.
Tensor attention_by(const AttentionKernels& kernels, Graph& graph, const Projections& projections,
                    const AttentionRanges& ranges, const AttentionShape& shape,
                    std::uint32_t step = 0);

template <class Push>
Push attention_push(const AttentionPart& part) {
  return {.rows_count = part.rows.word,
          .other_rows_count = part.other_rows.word,
          .dropout_id = part.dropout_id,
          .threshold = part.dropout.threshold,
          .scale = part.dropout.scale};
}

/// A launch of a forward kernel in fp32 whose workgroups process `tile_rows` rows of a head.
template <class KernelLaunch, class Constants>
KernelLaunch forward_launch(const AttentionPart& part, const Constants& constants,
                            std::uint32_t tile_rows) {
  const auto& [ranges, projections, y, log_sum_exp, dy, deltas, dq, dk, dv, sums] = part.tensors;
  return {.constants = constants,
          .operands = {.step = part.step_scalars,
                       .key_ranges = ranges.keys_of_query,
                       .q = projections.q,
                       .k = projections.k,
                       .v = projections.v,
                       .y = y,
                       .log_sum_exp = log_sum_exp},
          .push = attention_push<decltype(KernelLaunch::push)>(part),
          .x = Axis::rows(part.rows, tile_rows),
          .y = Axis::of(part.shape.heads)};
}

/// The same of a kernel for the gradients of queries.
template <class KernelLaunch, class Constants>
KernelLaunch query_launch(const AttentionPart& part, const Constants& constants,
                          std::uint32_t tile_rows) {
  const auto& [ranges, projections, y, log_sum_exp, dy, deltas, dq, dk, dv, sums] = part.tensors;
  return {.constants = constants,
          .operands = {.step = part.step_scalars,
                       .ranges = ranges.keys_of_query,
                       .q = projections.q,
                       .k = projections.k,
                       .v = projections.v,
                       .dy = dy,
                       .log_sum_exp = log_sum_exp,
                       .y = y,
                       .deltas = deltas,
                       .dq = dq},
          .push = attention_push<decltype(KernelLaunch::push)>(part),
          .x = Axis::rows(part.rows, tile_rows),
          .y = Axis::of(part.shape.heads)};
}

/// The same of a kernel for the gradients of keys and values.
template <class KernelLaunch, class Constants>
KernelLaunch key_launch(const AttentionPart& part, const Constants& constants,
                        std::uint32_t tile_rows) {
  const auto& [ranges, projections, y, log_sum_exp, dy, deltas, dq, dk, dv, sums] = part.tensors;
  return {.constants = constants,
          .operands = {.step = part.step_scalars,
                       .ranges = ranges.queries_of_key,
                       .q = projections.q,
                       .k = projections.k,
                       .v = projections.v,
                       .dy = dy,
                       .log_sum_exp = log_sum_exp,
                       .deltas = deltas,
                       .dk = dk,
                       .dv = dv},
          .push = attention_push<decltype(KernelLaunch::push)>(part),
          .x = Axis::rows(part.rows, tile_rows),
          .y = Axis::of(part.shape.heads)};
}

}  // namespace awend::nn
