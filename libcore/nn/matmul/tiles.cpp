#include "nn/matmul/tiles.hpp"

#include <array>
#include <cstdlib>
#include <string_view>

#include "base/error.hpp"
#include "base/numbers.hpp"

namespace awend::nn {
namespace {

/// Tiles from large to small.
struct SharedTiles {
  std::uint32_t least_subgroup;  ///< Lanes.
  std::array<SharedTile, 3> tiles;
};

// With 64 lanes (AMD GCN and CDNA), a thread has registers for half as many results as with 32
// (NVIDIA, AMD RDNA); with 8 and 16 (Intel), a core has fewer threads.
constexpr SharedTiles kSharedTiles[] = {
    {64, {{{256, 128, 64, 16, 8, 4}, {256, 64, 64, 16, 4, 4}, {64, 32, 32, 16, 4, 4}}}},
    {32, {{{256, 128, 128, 16, 8, 8}, {256, 64, 64, 16, 4, 4}, {64, 32, 32, 16, 4, 4}}}},
    {0, {{{128, 64, 64, 16, 8, 4}, {128, 32, 64, 16, 4, 4}, {64, 32, 32, 16, 4, 4}}}},
};

// Streaming multiprocessors or compute units of a large GPU.
constexpr std::uint64_t kEnoughWorkgroups = 128;

const SharedTiles& tiles_for(std::uint32_t subgroup_size) {
  for (const auto& entry : kSharedTiles) {
    if (subgroup_size >= entry.least_subgroup) return entry;
  }
  base::fail("no tile for subgroups of ", subgroup_size, " lanes");
}

}  // namespace

MatmulPath matmul_path(const vulkan::Device& device) {
  const char* requested = std::getenv("AWEND_MATMUL");
  if (requested != nullptr && *requested != '\0') {
    const std::string_view word = requested;
    if (word == "subgroup") return MatmulPath::kSubgroup;
    if (word == "shared") return MatmulPath::kShared;
    base::fail("AWEND_MATMUL must be subgroup or shared, got ", word);
  }
  return device.info().type == VK_PHYSICAL_DEVICE_TYPE_CPU ? MatmulPath::kSubgroup
                                                           : MatmulPath::kShared;
}

SharedTile shared_tile(std::uint32_t subgroup_size, std::uint32_t rows, std::uint32_t columns) {
  const auto& tiles = tiles_for(subgroup_size).tiles;
  const auto groups = [&](const SharedTile& tile) {
    return std::uint64_t{base::divide_up(rows, tile.rows)} * base::divide_up(columns, tile.columns);
  };
  for (const auto& tile : tiles) {
    if (groups(tile) >= kEnoughWorkgroups) return tile;
  }
  return tiles.back();
}

}  // namespace awend::nn
