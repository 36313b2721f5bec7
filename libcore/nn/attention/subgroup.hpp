// Attention by subgroups, for CPUs, which have no shared memory, and as the fallback of other
// devices: launches of shaders/op_attention.comp and op_attention_backward.comp, which have host
// forms.  Test: tests/kernels/attention_test.cpp.
#pragma once

#include <cstdint>

#include "nn/attention/launches.hpp"
#include "shaders/op_attention.h"

namespace awend::nn {

/// What one workgroup computes.
struct AttentionTile {
  std::uint32_t rows;
  std::uint32_t keys_per_lane;  ///< Of one block.
};

/// 16 keys or more in a block: sentences are short.  More rows in a tile share more loads, but need
/// more registers.
constexpr AttentionTile attention_tile(std::uint32_t subgroup_size) {
  return {.rows = 8, .keys_per_lane = subgroup_size >= 16 ? 1u : 2u};
}

AttentionKernels subgroup_attention_kernels(const Engine& engine);

/// The constants of a launch of these kernels.
AttentionConstants subgroup_attention_constants(const AttentionPart& part,
                                                std::uint32_t subgroup_size);

/// As max_attended_keys().
std::uint32_t max_subgroup_attention_keys(const Engine& engine, const AttentionShape& shape);

}  // namespace awend::nn
