#include "nn/plan.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "nn/limits.hpp"

namespace awend::nn {
namespace {

std::uint64_t align_up(std::uint64_t value, std::uint64_t alignment) {
  return base::divide_up(value, alignment) * alignment;
}

}  // namespace

MemoryPlan plan_memory(std::span<const Block> blocks, std::uint64_t alignment,
                       std::uint64_t slab_bytes) {
  std::vector<std::size_t> order(blocks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return blocks[a].size_bytes > blocks[b].size_bytes; });
  MemoryPlan plan{std::vector<std::uint64_t>(blocks.size()), 0};
  std::vector<std::size_t> placed;  // by offset
  for (const std::size_t index : order) {
    const Block& block = blocks[index];
    if (block.size_bytes > slab_bytes) {
      throw base::LimitError(
          {base::Message("a tensor of ", block.size_bytes,
                         " bytes is larger than one allocation of this device (", slab_bytes, ")"),
           block.size_bytes,
           slab_bytes,
           {kBatchTokens}});
    }
    const auto without_crossing = [&](std::uint64_t offset) {
      const bool crosses = offset / slab_bytes !=
                           (offset + std::max<std::uint64_t>(block.size_bytes, 1) - 1) / slab_bytes;
      return crosses ? align_up(offset, slab_bytes) : offset;
    };
    std::uint64_t offset = 0;
    for (const std::size_t other : placed) {
      const bool together = blocks[other].first <= block.last && block.first <= blocks[other].last;
      if (!together) continue;
      if (offset + block.size_bytes <= plan.offsets[other]) break;
      const std::uint64_t end = plan.offsets[other] + blocks[other].size_bytes;
      offset = without_crossing(std::max(offset, align_up(end, alignment)));
    }
    plan.offsets[index] = offset;
    plan.size_bytes = std::max(plan.size_bytes, offset + block.size_bytes);
    const auto at = std::upper_bound(
        placed.begin(), placed.end(), offset,
        [&](std::uint64_t value, std::size_t i) { return value < plan.offsets[i]; });
    placed.insert(at, index);
  }
  return plan;
}

}  // namespace awend::nn
