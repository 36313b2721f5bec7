#include "nn/parts.hpp"

#include <algorithm>

namespace awend::nn {
namespace {

// A multiple of the rows of all tiles.
constexpr std::uint32_t kStep = 256;
// Tiles of more rows are not full.  64 rows of any operand are a multiple of 256 bytes, the largest
// alignment of storage buffers.
constexpr std::uint32_t kSmallStep = 64;

}  // namespace

std::uint32_t part_rows(const RowWork& work, const vulkan::Pace& pace) {
  const double seconds = work.flops / pace.speed.flops_per_second;
  if (!pace.is_bounded() || seconds <= pace.submit_seconds) return work.rows;
  const auto fitting = static_cast<std::uint32_t>(work.rows * (pace.submit_seconds / seconds));
  const std::uint32_t step = fitting >= kStep ? kStep : kSmallStep;
  return std::min(work.rows, std::max(fitting / step, 1u) * step);
}

void in_parts(Program& program, const Count& rows, std::uint32_t step,
              const std::function<void(const RowPart&)>& launch) {
  if (step >= rows.capacity) return launch({.first = 0, .rows = rows, .is_whole = true});
  for (std::uint32_t first = 0; first < rows.capacity; first += step) {
    launch({.first = first, .rows = program.part_of(rows, first, step), .is_whole = false});
  }
}

}  // namespace awend::nn
