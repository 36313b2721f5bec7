// The projection to the vocabulary and the smoothed loss, chunk by chunk of rows (section 5.4).
#include <algorithm>

#include "base/error.hpp"
#include "nn/matmul.hpp"
#include "nn/operations.hpp"
#include "nn/shader_types.hpp"

namespace awend::nn {
namespace {

/// Rows of a chunk: logits stay within 32 MiB or so and within what one binding can see.
std::uint32_t chunk_size(const vulkan::Limits& limits, std::uint32_t vocabulary) {
  constexpr std::uint64_t kLogitBytes = std::uint64_t{32} << 20;
  constexpr std::uint64_t kStep = 64;  // rows: keeps every chunk's offset aligned
  const std::uint64_t rows =
      std::min(kLogitBytes, limits.storage_range_bytes) / (std::uint64_t{vocabulary} * 4);
  return static_cast<std::uint32_t>(std::max(rows / kStep * kStep, kStep));
}

}  // namespace

ChunkedLoss::ChunkedLoss(Graph& graph, const Tensor& x, const Parameter& table,
                         const LossInputs& inputs)
    : program_(graph.program()) {
  const std::uint32_t width = table.padded_rows();
  const std::uint32_t wanted = inputs.chunk_rows != 0
                                   ? inputs.chunk_rows
                                   : chunk_size(program_.engine().device.limits(), width);
  chunk_rows_ = std::min(wanted, x.rows.capacity);
  rows_ = inputs.for_host ? program_.output(x.rows, 2) : program_.activation(x.rows, 2);
  const Tensor weights = graph.operand(table);
  const Tensor operand = graph.operand(x);
  const Tensor step = graph.step_scalars();
  std::optional<GradientTarget> dx;
  if (graph.training()) {
    dx = graph.gradient_target(x);
    base::check(!dx->adds, "the loss is the last operation on its input");
  }
  const Tensor logits = program_.activation(program_.count(chunk_rows_), width);
  for (std::uint32_t first = 0; first < x.rows.capacity; first += chunk_rows_) {
    const Count rows = program_.count(std::min(chunk_rows_, x.rows.capacity - first));
    chunks_.push_back(rows);
    const Tensor part = operand.from_row(first, rows);
    const Tensor chunk = logits.from_row(0, rows);
    matmul(program_,
           {.form = Form::kNT, .a = part, .b = weights, .c = chunk, .bias = std::nullopt});
    program_.launch({.kernel = "loss",
                     .constants = {width, graph.training() ? 1u : 0u},
                     .operands = {step, inputs.targets.from_row(first, rows), chunk,
                                  rows_.from_row(first, rows)},
                     .push_constants = bytes_of(LossPush{
                         rows.word, inputs.vocabulary, static_cast<float>(inputs.label_smoothing)}),
                     .x = Axis::rows(rows)});
    if (!dx) continue;
    const Tensor slope = graph.narrowed(chunk);
    matmul(program_, {.form = Form::kNN,
                      .a = slope,
                      .b = weights,
                      .c = dx->tensor.from_row(first, rows),
                      .bias = std::nullopt});
    if (!graph.trains(table)) continue;
    matmul(program_, {.form = Form::kTN,
                      .a = slope,
                      .b = part,
                      .c = graph.parameter_gradient(table),
                      .bias = std::nullopt,
                      .flags = MATMUL_ACCUMULATE});
  }
  totals_ = program_.output(program_.fixed(1), 2);
  program_.launch({.kernel = "row_sum",
                   .constants = {},
                   .operands = {rows_, totals_},
                   .push_constants = bytes_of(RowsPush{x.rows.word})});
}

void ChunkedLoss::set_rows(std::uint32_t rows) {
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    const auto first = static_cast<std::uint32_t>(i) * chunk_rows_;
    program_.set(chunks_[i], std::min(rows - std::min(rows, first), chunks_[i].capacity));
  }
}

}  // namespace awend::nn
