// The tile that one workgroup of the portable attention kernels computes, by subgroup size.
#pragma once

#include <cstdint>

namespace awend::nn {

struct AttentionTile {
  std::uint32_t rows;           ///< Of one workgroup.
  std::uint32_t keys_per_lane;  ///< Of one block.
};

/// 16 keys or more in a block: sentences are short.  More rows in a tile share more loads, but need
/// more registers.
constexpr AttentionTile attention_tile(std::uint32_t subgroup_size) {
  return {.rows = 8, .keys_per_lane = subgroup_size >= 16 ? 1u : 2u};
}

}  // namespace awend::nn
