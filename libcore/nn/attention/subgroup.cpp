#include "nn/attention/subgroup.hpp"

#include "base/numbers.hpp"
#include "shaders/op_attention_backward.h"

namespace awend::nn {

AttentionConstants subgroup_attention_constants(const AttentionPart& part, std::uint32_t lanes) {
  const AttentionTile tile = attention_tile(lanes);
  return {.heads = part.shape.heads,
          .d_k = part.shape.d_k,
          .d_v = part.shape.d_v,
          .k_per_lane = base::divide_up(part.shape.d_k / 4, lanes),
          .v_per_lane = base::divide_up(part.shape.d_v / 4, lanes),
          .drops = part.dropout.drops,
          .tile_rows = tile.rows,
          .keys_per_lane = tile.keys_per_lane};
}

AttentionKernels subgroup_attention_kernels(const Engine& engine) {
  const std::uint32_t lanes = engine.limits().subgroup_size;
  return {.launch = [lanes](Program& program, const AttentionPart& part) {
    const AttentionTile tile = attention_tile(lanes);
    const AttentionConstants constants = subgroup_attention_constants(part, lanes);
    switch (part.direction) {
      case AttentionDirection::kForward:
        return program.launch(forward_launch<AttentionLaunch>(part, constants, tile.rows));
      case AttentionDirection::kQuery:
        return program.launch(
            query_launch<AttentionBackwardQueryLaunch>(part, constants, tile.rows));
      case AttentionDirection::kKey:
        return program.launch(key_launch<AttentionBackwardKeyLaunch>(part, constants, tile.rows));
    }
  }};
}

std::uint32_t max_subgroup_attention_keys(const Engine& engine, const AttentionShape& shape) {
  const std::uint32_t lanes = engine.limits().subgroup_size;
  const std::uint32_t keys = lanes * attention_tile(lanes).keys_per_lane;
  // Iterations for each block of keys: d_k / 4 for the scores, then one for each four keys.
  const std::uint64_t rounds_per_block = 1 + shape.d_k / 4 + keys / 4;
  return static_cast<std::uint32_t>(kMaxIterations / rounds_per_block * keys);
}

}  // namespace awend::nn
