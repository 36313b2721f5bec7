// Memory planned before the first step: life times give offsets in one arena, so that nothing is
// allocated later.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace awend::nn {

/// A block that is needed from launch `first` to launch `last`, both included.
struct Block {
  std::uint64_t size_bytes = 0;
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

struct MemoryPlan {
  std::vector<std::uint64_t> offsets;  ///< One for each block.
  std::uint64_t size_bytes = 0;        ///< Of the arena that holds them all.
};

/// Greedy by size: the largest block first, each at the lowest aligned offset where no block that
/// lives at the same time stands.  No block crosses a multiple of `slab_bytes`.  Requires: each
/// block fits a slab.
MemoryPlan plan_memory(std::span<const Block> blocks, std::uint64_t alignment,
                       std::uint64_t slab_bytes);

}  // namespace awend::nn
