// The projection to the vocabulary and the smoothed loss, chunk by chunk of rows (section 5.4).
#include <algorithm>

#include "nn/graph.hpp"
#include "nn/logits.hpp"
#include "nn/operations.hpp"
#include "nn/output_projection.hpp"
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

void Loss::set_rows(std::uint32_t rows) {
  std::uint32_t first = 0;
  for (const Count& chunk : chunks_) {
    program_.set(chunk, std::min(rows - std::min(rows, first), chunk.capacity));
    first += chunk.capacity;
  }
}

Count Loss::add_chunk(std::uint32_t rows) {
  return chunks_.emplace_back(program_.count(rows));
}

void Loss::append_totals() {
  totals_ = program_.output(program_.fixed(1), 2);
  program_.launch(RowSumLaunch{.constants = {},
                               .operands = {.pairs = rows_, .totals = totals_},
                               .push = {.rows_count = rows_.rows.word}});
}

ChunkedLoss::ChunkedLoss(Graph& graph, const Tensor& x, const OutputLayer& output,
                         const LossInputs& inputs)
    : Loss(graph.program(), inputs.for_host ? graph.program().output(x.rows, 2)
                                            : graph.program().activation(x.rows, 2)) {
  const std::uint32_t width = output.table.padded_rows();
  const std::uint32_t requested =
      inputs.chunk_rows != 0 ? inputs.chunk_rows : chunk_size(program().engine().limits(), width);
  const std::uint32_t chunk_rows = std::min(requested, x.rows.capacity);
  const Tensor step = inputs.step ? *inputs.step : graph.step_scalars();
  OutputProjection projection(graph, x, output);
  const bool masks = inputs.for_host && !graph.training() && !output.masked_ids.empty();
  const auto mask =
      masks ? std::optional(mask_of(program(), output.masked_ids, chunk_rows)) : std::nullopt;
  const Tensor logits = program().activation(program().count(chunk_rows), width);
  for (std::uint32_t first = 0; first < x.rows.capacity; first += chunk_rows) {
    const Count chunk_count = add_chunk(std::min(chunk_rows, x.rows.capacity - first));
    const Tensor chunk = logits.from_row(0, chunk_count);
    projection.append_logits(first, chunk);
    if (mask) adjust(program(), {chunk, inputs.vocabulary}, *mask);
    program().launch(LossLaunch{.constants = {.columns = width, .gradient = graph.training()},
                                .operands = {.step = step,
                                             .targets = inputs.targets.from_row(first, chunk_count),
                                             .logits = chunk,
                                             .losses = rows().from_row(first, chunk_count)},
                                .push = {.rows_count = chunk_count.word,
                                         .vocabulary = inputs.vocabulary,
                                         .smoothing = static_cast<float>(inputs.label_smoothing)},
                                .x = Axis::rows(chunk_count)});
    projection.append_gradients(first, chunk);
  }
  append_totals();
}

}  // namespace awend::nn
