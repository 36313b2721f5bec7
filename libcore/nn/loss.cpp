// The projection to the vocabulary and the smoothed loss, chunk by chunk of rows (section 5.4).
#include <algorithm>

#include "base/error.hpp"
#include "nn/column_sum.hpp"
#include "nn/graph.hpp"
#include "nn/logits.hpp"
#include "nn/matmul/matmul.hpp"
#include "nn/operations.hpp"
#include "shaders/op_loss.h"
#include "shaders/op_row_sum.h"

namespace awend::nn {
namespace {

/// Rows of a chunk: its logits take at most about 32 MiB and fit one binding.
std::uint32_t chunk_size(const vulkan::Limits& limits, std::uint32_t vocabulary) {
  constexpr std::uint64_t kLogitBytes = std::uint64_t{32} << 20;
  constexpr std::uint64_t kStep = 64;  // rows; keeps the offset of each chunk aligned
  const std::uint64_t rows =
      std::min(kLogitBytes, limits.storage_range_bytes) / (std::uint64_t{vocabulary} * 4);
  return static_cast<std::uint32_t>(std::max(rows / kStep * kStep, kStep));
}

}  // namespace

ChunkedLoss::ChunkedLoss(Graph& graph, const Tensor& x, const OutputLayer& output,
                         const LossInputs& inputs)
    : program_(graph.program()) {
  const auto& [table, bias, masked_ids] = output;
  const std::uint32_t width = table.padded_rows();
  const std::uint32_t requested =
      inputs.chunk_rows != 0 ? inputs.chunk_rows : chunk_size(program_.engine().limits(), width);
  chunk_rows_ = std::min(requested, x.rows.capacity);
  rows_ = inputs.for_host ? program_.output(x.rows, 2) : program_.activation(x.rows, 2);
  const Tensor weights = graph.operand(table);
  const Tensor operand = graph.operand(x);
  const Tensor step = inputs.step ? *inputs.step : graph.step_scalars();
  std::optional<GradientTarget> dx;
  if (graph.training()) {
    dx = graph.gradient_target(x);
    base::check(!dx->adds, "the loss is the last operation on its input");
  }
  const auto bias_row = bias ? std::optional(as_row(program_, graph.value(*bias))) : std::nullopt;
  const bool masks = inputs.for_host && !graph.training() && !masked_ids.empty();
  const auto mask =
      masks ? std::optional(mask_of(program_, masked_ids, chunk_rows_)) : std::nullopt;
  const Tensor logits = program_.activation(program_.count(chunk_rows_), width);
  for (std::uint32_t first = 0; first < x.rows.capacity; first += chunk_rows_) {
    const Count rows = program_.count(std::min(chunk_rows_, x.rows.capacity - first));
    chunks_.push_back(rows);
    const Tensor part = operand.from_row(first, rows);
    const Tensor chunk = logits.from_row(0, rows);
    matmul(program_, {.form = Form::kNT, .a = part, .b = weights, .c = chunk, .bias = bias_row});
    if (mask) adjust(program_, {chunk, inputs.vocabulary}, *mask);
    program_.launch(LossLaunch{.constants = {.columns = width, .gradient = graph.training()},
                               .operands = {.step = step,
                                            .targets = inputs.targets.from_row(first, rows),
                                            .logits = chunk,
                                            .losses = rows_.from_row(first, rows)},
                               .push = {.rows_count = rows.word,
                                        .vocabulary = inputs.vocabulary,
                                        .smoothing = static_cast<float>(inputs.label_smoothing)},
                               .x = Axis::rows(rows)});
    if (!dx) continue;
    if (bias && graph.trains(*bias)) {
      add_column_sums(program_, chunk, as_row(program_, graph.parameter_gradient(*bias)));
    }
    const Tensor gradient = graph.narrowed(chunk);
    matmul(program_, {.form = Form::kNN,
                      .a = gradient,
                      .b = weights,
                      .c = dx->tensor.from_row(first, rows),
                      .bias = std::nullopt});
    if (!graph.trains(table)) continue;
    matmul(program_, {.form = Form::kTN,
                      .a = gradient,
                      .b = part,
                      .c = graph.parameter_gradient(table),
                      .bias = std::nullopt,
                      .flags = MATMUL_ACCUMULATE});
  }
  totals_ = program_.output(program_.fixed(1), 2);
  program_.launch(RowSumLaunch{.constants = {},
                               .operands = {.pairs = rows_, .totals = totals_},
                               .push = {.rows_count = x.rows.word}});
}

void ChunkedLoss::set_rows(std::uint32_t rows) {
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    const auto first = static_cast<std::uint32_t>(i) * chunk_rows_;
    program_.set(chunks_[i], std::min(rows - std::min(rows, first), chunks_[i].capacity));
  }
}

}  // namespace awend::nn
