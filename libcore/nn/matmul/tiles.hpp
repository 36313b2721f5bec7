// The kernel and tile of a product without matrix units, by device, subgroup size and shape.
//
// On a CPU (lavapipe), the subgroup kernels are much faster, because barriers become coroutines
// there.  GPUs use shared memory.  AWEND_MATMUL=subgroup or shared overrides this choice, for tests
// and for drivers that fail.  Test: tests/unit/nn/tiles_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "nn/program.hpp"

namespace awend::nn {

enum class MatmulPath {
  kSubgroup,  ///< shaders/op_matmul.comp
  kShared,    ///< shaders/op_matmul_shared.comp
};

/// Throws Error if AWEND_MATMUL has another value.
MatmulPath matmul_path(const vulkan::Limits& limits);

/// Rows and columns of an output that one workgroup computes.
struct SharedTile {
  std::uint32_t threads;
  std::uint32_t rows;
  std::uint32_t columns;
  std::uint32_t depth;
  std::uint32_t rows_per_thread;
  std::uint32_t columns_per_thread;

  bool operator==(const SharedTile&) const = default;
};

/// All tiles for a device, from large to small; none if its workgroups or its shared memory are too
/// small.
std::vector<SharedTile> shared_tiles(const vulkan::Limits& limits);

/// The largest tile that gives enough workgroups to occupy a GPU, if there is a tile.
std::optional<SharedTile> shared_tile(const vulkan::Limits& limits, std::uint32_t rows,
                                      std::uint32_t columns);

}  // namespace awend::nn
