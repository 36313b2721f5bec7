#include "nn/logits.hpp"

#include <bit>
#include <vector>

#include "shaders/op_adjust.h"

namespace awend::nn {

void adjust(Program& program, const Logits& logits, const Adjustments& adjustments) {
  program.launch(AdjustLaunch{.constants = {.columns = logits.values.columns},
                              .operands = {.ranges = adjustments.ranges,
                                           .changes = adjustments.changes,
                                           .logits = logits.values},
                              .push = {.rows_count = logits.values.rows.word},
                              .x = Axis::rows(logits.values.rows)});
}

Adjustments mask_of(Program& program, std::span<const std::uint32_t> ids, std::uint32_t rows) {
  // Constants are floats; only their bits count.
  const auto bits = [](std::uint32_t word) { return std::bit_cast<float>(word); };
  std::vector<float> ranges, changes;
  for (std::uint32_t row = 0; row < rows; ++row)
    ranges.insert(ranges.end(), {bits(0), bits(static_cast<std::uint32_t>(ids.size()))});
  for (const std::uint32_t id : ids) changes.insert(changes.end(), {bits(id), kMaskedLogit});
  return {program.constant(2, std::move(ranges)), program.constant(2, std::move(changes))};
}

Tensor as_row(Program& program, const Tensor& vector) {
  return vector.reshaped(program.fixed(1), vector.rows.capacity);
}

}  // namespace awend::nn
