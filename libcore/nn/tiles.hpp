// Which kernel and which tile a product or an attention takes on a device: one table by subgroup
// size and shape.
//
// On a CPU (lavapipe) the subgroup kernels win by far: barriers become coroutines there.  GPUs take
// shared memory for whole products.  AWEND_MATMUL=subgroup or shared overrules, for tests and for
// drivers that fail.
#pragma once

#include <cstdint>

#include "nn/program.hpp"

namespace awend::nn {

enum class MatmulPath {
  kSubgroup,  ///< shaders/op_matmul.comp
  kShared,    ///< shaders/op_matmul_shared.comp
};

/// Throws Error if AWEND_MATMUL is another word.
MatmulPath matmul_path(const vulkan::Device& device);

/// Rows and columns of an output that one workgroup computes; the fields are specialization
/// constants 1 … 6 of op_matmul_shared.comp, in this order.
struct SharedTile {
  std::uint32_t threads;
  std::uint32_t rows;
  std::uint32_t columns;
  std::uint32_t depth;
  std::uint32_t rows_per_thread;
  std::uint32_t columns_per_thread;

  bool operator==(const SharedTile&) const = default;
};

/// The largest tile that still makes enough workgroups to fill a GPU.
SharedTile shared_tile(std::uint32_t subgroup_size, std::uint32_t rows, std::uint32_t columns);

/// Specialization constants 7 and 8 of the attention kernels.
struct AttentionTile {
  std::uint32_t rows;           ///< Of one workgroup.
  std::uint32_t keys_per_lane;  ///< Of one block.
};

AttentionTile attention_tile(std::uint32_t subgroup_size);

}  // namespace awend::nn
