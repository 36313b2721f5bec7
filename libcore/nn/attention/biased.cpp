#include "nn/attention/biased.hpp"

#include "base/numbers.hpp"
#include "nn/attention/shared.hpp"
#include "nn/attention/subgroup.hpp"
#include "nn/column_sum.hpp"
#include "nn/graph.hpp"
#include "nn/logits.hpp"
#include "shaders/op_attention_backward.h"
#include "shaders/op_attention_bias.h"
#include "shaders/op_attention_shared.h"

namespace awend::nn {
namespace {

struct BiasTensors {
  Tensor bias, buckets;
  std::uint32_t max_distance;
};

/// A launch of any family of kernels whose workgroups process `rows` rows of a head.
template <class KernelLaunch, class Constants>
KernelLaunch forward(const AttentionPart& part, const Constants& constants, std::uint32_t rows,
                     const BiasTensors& bias) {
  const auto& t = part.tensors;
  return {.constants = constants,
          .operands = {.step = part.step_scalars,
                       .key_ranges = t.ranges.keys_of_query,
                       .q = t.projections.q,
                       .k = t.projections.k,
                       .v = t.projections.v,
                       .y = t.y,
                       .log_sum_exp = t.log_sum_exp,
                       .bias = bias.bias,
                       .buckets = bias.buckets},
          .push = attention_push<decltype(KernelLaunch::push)>(part),
          .x = Axis::rows(part.rows, rows),
          .y = Axis::of(part.shape.heads)};
}

template <class KernelLaunch, class Constants>
KernelLaunch query_gradient(const AttentionPart& part, const Constants& constants,
                            std::uint32_t rows, const BiasTensors& bias) {
  const auto& t = part.tensors;
  return {.constants = constants,
          .operands = {.step = part.step_scalars,
                       .ranges = t.ranges.keys_of_query,
                       .q = t.projections.q,
                       .k = t.projections.k,
                       .v = t.projections.v,
                       .dy = t.dy,
                       .log_sum_exp = t.log_sum_exp,
                       .y = t.y,
                       .deltas = t.deltas,
                       .dq = t.dq,
                       .bias = bias.bias,
                       .buckets = bias.buckets},
          .push = attention_push<decltype(KernelLaunch::push)>(part),
          .x = Axis::rows(part.rows, rows),
          .y = Axis::of(part.shape.heads)};
}

template <class KernelLaunch, class Constants>
KernelLaunch key_gradient(const AttentionPart& part, const Constants& constants, std::uint32_t rows,
                          const BiasTensors& bias) {
  const auto& t = part.tensors;
  return {.constants = constants,
          .operands = {.step = part.step_scalars,
                       .ranges = t.ranges.queries_of_key,
                       .q = t.projections.q,
                       .k = t.projections.k,
                       .v = t.projections.v,
                       .dy = t.dy,
                       .log_sum_exp = t.log_sum_exp,
                       .deltas = t.deltas,
                       .dk = t.dk,
                       .dv = t.dv,
                       .bias = bias.bias,
                       .buckets = bias.buckets},
          .push = attention_push<decltype(KernelLaunch::push)>(part),
          .x = Axis::rows(part.rows, rows),
          .y = Axis::of(part.shape.heads)};
}

void launch_by_subgroups(Program& program, const AttentionPart& part, const BiasTensors& bias) {
  const AttentionConstants all =
      subgroup_attention_constants(part, program.engine().limits().subgroup_size);
  const AttentionBiasedConstants constants{.heads = all.heads,
                                           .d_k = all.d_k,
                                           .d_v = all.d_v,
                                           .k_per_lane = all.k_per_lane,
                                           .v_per_lane = all.v_per_lane,
                                           .drops = all.drops,
                                           .tile_rows = all.tile_rows,
                                           .keys_per_lane = all.keys_per_lane,
                                           .max_distance = bias.max_distance};
  switch (part.direction) {
    case AttentionDirection::kForward:
      return program.launch(forward<AttentionBiasedLaunch>(part, constants, all.tile_rows, bias));
    case AttentionDirection::kQuery:
      return program.launch(
          query_gradient<AttentionBiasedQueryLaunch>(part, constants, all.tile_rows, bias));
    case AttentionDirection::kKey:
      return program.launch(
          key_gradient<AttentionBiasedKeyLaunch>(part, constants, all.tile_rows, bias));
  }
}

void launch_shared(Program& program, const AttentionPart& part, std::uint32_t rows,
                   const BiasTensors& bias) {
  const AttentionSharedBiasedConstants constants{.threads = ATTENTION_SHARED_THREADS,
                                                 .own = rows,
                                                 .heads = part.shape.heads,
                                                 .d_k = part.shape.d_k,
                                                 .d_v = part.shape.d_v,
                                                 .drops = part.dropout.drops,
                                                 .max_distance = bias.max_distance};
  switch (part.direction) {
    case AttentionDirection::kForward:
      return program.launch(forward<AttentionSharedBiasedLaunch>(part, constants, rows, bias));
    case AttentionDirection::kQuery:
      return program.launch(
          query_gradient<AttentionSharedBiasedQueryLaunch>(part, constants, rows, bias));
    case AttentionDirection::kKey:
      return program.launch(
          key_gradient<AttentionSharedBiasedKeyLaunch>(part, constants, rows, bias));
  }
}

/// The sums of the gradients of scores by bucket, of each query; after its deltas.
AttentionBiasLaunch bias_sums(const AttentionPart& part, const BiasTensors& bias,
                              std::uint32_t lanes) {
  const auto& t = part.tensors;
  const std::uint32_t buckets = t.bias_sums->columns / part.shape.heads;
  return AttentionBiasLaunch{.constants = {.heads = part.shape.heads,
                                           .d_k = part.shape.d_k,
                                           .d_v = part.shape.d_v,
                                           .drops = part.dropout.drops,
                                           .max_distance = bias.max_distance,
                                           .bucket_count = buckets,
                                           .per_lane = base::divide_up(buckets, lanes)},
                             .operands = {.step = part.step_scalars,
                                          .ranges = t.ranges.keys_of_query,
                                          .q = t.projections.q,
                                          .k = t.projections.k,
                                          .v = t.projections.v,
                                          .dy = t.dy,
                                          .log_sum_exp = t.log_sum_exp,
                                          .deltas = t.deltas,
                                          .bias = bias.bias,
                                          .buckets = bias.buckets,
                                          .sums = *t.bias_sums},
                             .push = attention_push<AttentionBiasPush>(part),
                             .x = Axis::rows(part.rows),
                             .y = Axis::of(part.shape.heads)};
}

}  // namespace

AttentionKernels biased_attention_kernels(Graph& graph, const RelativeBias& bias) {
  const std::uint32_t lanes = graph.program().engine().limits().subgroup_size;
  const BiasTensors operands{.bias = graph.value(bias.table),
                             .buckets = bias.buckets,
                             .max_distance = bias.max_distance()};
  return {.launch = [lanes, operands](Program& program, const AttentionPart& part) {
    if (const auto rows = shared_attention_rows(program.engine(), part.shape)) {
      launch_shared(program, part, *rows, operands);
    } else {
      launch_by_subgroups(program, part, operands);
    }
    if (part.direction == AttentionDirection::kQuery && part.tensors.bias_sums)
      program.launch(bias_sums(part, operands, lanes));
  }};
}

void add_bias_gradient(Graph& graph, const RelativeBias& bias, const Tensor& sums) {
  Program& program = graph.program();
  add_column_sums(program, sums, as_row(program, graph.parameter_gradient(bias.table)));
}

}  // namespace awend::nn
