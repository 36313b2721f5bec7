#include "nn/attention/work.hpp"

#include <algorithm>

#include "nn/parts.hpp"

namespace awend::nn {

std::uint32_t max_other_rows(const AttentionRanges& ranges, const Count& other_rows) {
  return ranges.longest == 0 ? other_rows.capacity : std::min(ranges.longest, other_rows.capacity);
}

double flops_of(const AttentionWork& work) {
  const double d_k = work.shape.d_k, d_v = work.shape.d_v;
  const double columns = [&] {
    switch (work.direction) {
      case AttentionDirection::kForward:
        return 2 * d_k + d_v;  // scores may be computed twice
      case AttentionDirection::kQuery:
        return 2 * d_k + d_v + (work.shape.bias ? d_k + d_v : 0);
      case AttentionDirection::kKey:
        break;
    }
    return 2 * (d_k + d_v);
  }();
  return 2.0 * work.rows * work.other_rows * work.shape.heads * columns;
}

std::uint32_t part_rows(const AttentionWork& work, const vulkan::Pace& pace) {
  return part_rows({.rows = work.rows, .flops = flops_of(work)}, pace);
}

}  // namespace awend::nn
