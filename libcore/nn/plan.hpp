// Memory planning: offsets in one arena, from the lifetimes of blocks, so that nothing is allocated
// later.  Test: tests/unit/nn/plan_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace awend::nn {

/// A block of memory that is used from launch `first` to launch `last`, inclusive.
struct Block {
  std::uint64_t size_bytes = 0;
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

struct MemoryPlan {
  std::vector<std::uint64_t> offsets;  ///< One for each block.
  std::uint64_t size_bytes = 0;        ///< Of the arena.
};

/// Greedy by size: the largest block first, each at the lowest aligned offset where it overlaps no
/// block with an overlapping lifetime.  No block crosses a multiple of `slab_bytes`.
MemoryPlan plan_memory(std::span<const Block> blocks, std::uint64_t alignment,
                       std::uint64_t slab_bytes);

}  // namespace awend::nn
