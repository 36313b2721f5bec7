// Scaled dot-product attention with several heads, section 3.2: the choice of kernels, the gradient
// rule, and the division into launches.
#include <algorithm>

#include "base/error.hpp"
#include "nn/attention/biased.hpp"
#include "nn/attention/launches.hpp"
#include "nn/attention/matrix.hpp"
#include "nn/attention/shared.hpp"
#include "nn/attention/subgroup.hpp"
#include "nn/attention/work.hpp"
#include "nn/decoding.hpp"
#include "nn/graph.hpp"
#include "nn/parts.hpp"

namespace awend::nn {
namespace {

// Decoding has few queries for many keys: rounding the keys to 16 bits in every step would cost
// more time than matrix units save.
constexpr std::uint32_t kFewQueries = 256;

AttentionTensors part_of(const AttentionTensors& all, AttentionDirection direction,
                         const RowPart& rows) {
  AttentionTensors part = all;
  const auto cut = [&](Tensor& tensor) { tensor = rows.of(tensor); };
  if (direction == AttentionDirection::kKey) {
    cut(part.ranges.queries_of_key);
    cut(part.projections.k);
    cut(part.projections.v);
    cut(part.dk);
    cut(part.dv);
    return part;
  }
  cut(part.ranges.keys_of_query);
  cut(part.projections.q);
  cut(part.y);
  cut(part.log_sum_exp);
  if (direction == AttentionDirection::kForward) return part;
  cut(part.dy);
  cut(part.deltas);
  cut(part.dq);
  if (part.bias_sums) cut(*part.bias_sums);
  return part;
}

/// What the launches of an attention have in common.
struct AttentionLaunches {
  AttentionKernels kernels;
  AttentionShape shape;
  Tensor step_scalars;
  DropoutNumbers dropout;
  std::uint32_t dropout_id;
  std::uint32_t step;  ///< See attention_by().

  void launch(Program& program, AttentionDirection direction,
              const AttentionTensors& tensors) const {
    const auto& [q, k, v] = tensors.projections;
    const bool own_keys = direction == AttentionDirection::kKey;
    const Count own = (own_keys ? k : q).rows, other_rows = (own_keys ? q : k).rows;
    const AttentionWork work{.direction = direction,
                             .shape = shape,
                             .rows = own.capacity,
                             .other_rows = max_other_rows(tensors.ranges, other_rows)};
    const auto pace = program.engine().pace();
    in_parts(program, own, step == 0 ? part_rows(work, pace) : step, [&](const RowPart& rows) {
      const std::size_t before = program.launches();
      kernels.launch(program, {.direction = direction,
                               .shape = shape,
                               .tensors = part_of(tensors, direction, rows),
                               .rows = rows.rows,
                               .other_rows = other_rows,
                               .step_scalars = step_scalars,
                               .dropout = dropout,
                               .dropout_id = dropout_id});
      AttentionWork part = work;
      part.rows = rows.rows.capacity;
      program.set_flops(before, flops_of(part));
    });
  }
};

}  // namespace

Tensor attention_by(const AttentionKernels& kernels, Graph& graph, const Projections& projections,
                    const AttentionRanges& ranges, const AttentionShape& shape,
                    std::uint32_t step) {
  const auto [heads, d_k, d_v, probability, bias] = shape;
  const auto [q, k, v] = projections;
  base::check(q.columns == heads * d_k && k.columns == heads * d_k && v.columns == heads * d_v,
              "projections have heads · d_k or heads · d_v columns");
  Program& program = graph.program();
  const AttentionLaunches launches{.kernels = kernels,
                                   .shape = shape,
                                   .step_scalars = graph.step_scalars(),
                                   .dropout = dropout_numbers(graph.training() ? probability : 0.0),
                                   .dropout_id = graph.next_dropout_id(),
                                   .step = step};
  const auto operand = [&](const Tensor& tensor) {
    return kernels.on_matrix_units ? graph.operand(tensor) : tensor;
  };
  AttentionTensors tensors{.ranges = ranges,
                           .projections = {operand(q), operand(k), operand(v)},
                           .y = program.activation(q.rows, heads * d_v),
                           .log_sum_exp = program.activation(q.rows, heads)};
  launches.launch(program, AttentionDirection::kForward, tensors);
  graph.record_attention({ranges.keys_of_query, q, k, tensors.log_sum_exp, heads, d_k, bias});

  graph.tape([=, &graph, &program]() mutable {
    const auto dy = graph.gradient(tensors.y);
    if (!dy) return;
    const auto dq = graph.gradient_target(q);
    const auto dk = graph.gradient_target(k);
    const auto dv = graph.gradient_target(v);
    base::check(!dq.adds && !dk.adds && !dv.adds, "each projection is used by one attention");
    tensors.dy = launches.kernels.on_matrix_units ? graph.narrowed(*dy) : *dy;
    tensors.deltas = program.activation(q.rows, heads);
    tensors.dq = dq.tensor;
    tensors.dk = dk.tensor;
    tensors.dv = dv.tensor;
    const auto& bias = launches.shape.bias;
    if (bias && graph.trains(bias->table))
      tensors.bias_sums = program.activation(q.rows, bias->table.rows);
    launches.launch(program, AttentionDirection::kQuery, tensors);
    if (tensors.bias_sums) add_bias_gradient(graph, *bias, *tensors.bias_sums);
    launches.launch(program, AttentionDirection::kKey, tensors);
  });
  return tensors.y;
}

Tensor attention(Graph& graph, const Projections& projections, const AttentionRanges& ranges,
                 const AttentionShape& shape) {
  const auto cut =
      matrix_attention_cut(graph.program().engine().limits(), graph.operand_element(), shape);
  const bool many = graph.training() || projections.q.rows.capacity > kFewQueries;
  if (cut && many && !shape.bias)
    return attention_by(matrix_attention_kernels(*cut), graph, projections, ranges, shape);
  return portable_attention(graph, projections, ranges, shape);
}

Tensor portable_attention(Graph& graph, const Projections& projections,
                          const AttentionRanges& ranges, const AttentionShape& shape) {
  if (shape.bias) {
    return attention_by(biased_attention_kernels(graph, *shape.bias), graph, projections, ranges,
                        shape);
  }
  const Engine& engine = graph.program().engine();
  const auto rows = shared_attention_rows(engine, shape);
  return attention_by(rows ? shared_attention_kernels(*rows) : subgroup_attention_kernels(engine),
                      graph, projections, ranges, shape);
}

std::uint32_t max_biased_keys(const Engine& engine, const AttentionShape& shape) {
  // max_keys() counts the iterations of op_attention_bias.comp, too.
  return std::min(max_attended_keys(engine, shape), max_keys(engine, shape));
}

std::uint32_t max_attended_keys(const Engine& engine, const AttentionShape& shape) {
  if (shared_attention_rows(engine, shape)) return max_shared_attention_keys(shape);
  return max_subgroup_attention_keys(engine, shape);
}

}  // namespace awend::nn
