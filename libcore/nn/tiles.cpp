#include "nn/tiles.hpp"

#include <array>
#include <cstdlib>
#include <string_view>

#include "base/error.hpp"

namespace awend::nn {
namespace {

/// Tiles from large to small.
struct SharedTiles {
  std::uint32_t least_subgroup;  ///< For subgroups of at least so many lanes.
  std::array<SharedTile, 3> tiles;
};

// 64 lanes (AMD GCN and CDNA) have registers for half as many results a thread as 32 lanes (NVIDIA,
// AMD RDNA); 8 and 16 lanes (Intel) are fewer threads a core.
constexpr SharedTiles kSharedTiles[] = {
    {64, {{{256, 128, 64, 16, 8, 4}, {256, 64, 64, 16, 4, 4}, {64, 32, 32, 16, 4, 4}}}},
    {32, {{{256, 128, 128, 16, 8, 8}, {256, 64, 64, 16, 4, 4}, {64, 32, 32, 16, 4, 4}}}},
    {0, {{{128, 64, 64, 16, 8, 4}, {128, 32, 64, 16, 4, 4}, {64, 32, 32, 16, 4, 4}}}},
};

// Streaming multiprocessors or compute units of a large GPU.
constexpr std::uint64_t kEnoughWorkgroups = 128;

struct AttentionTiles {
  std::uint32_t least_subgroup;
  AttentionTile tile;
};

// 16 keys a block: sentences are short.  More rows to a tile share more loads, and cost registers.
constexpr AttentionTiles kAttentionTiles[] = {{32, {8, 1}}, {16, {8, 1}}, {0, {8, 2}}};

template <class Table>
const auto& entry_for(const Table& table, std::uint32_t subgroup_size) {
  for (const auto& entry : table) {
    if (subgroup_size >= entry.least_subgroup) return entry;
  }
  base::fail("no tile for subgroups of ", subgroup_size, " lanes");
}

}  // namespace

MatmulPath matmul_path(const vulkan::Device& device) {
  const char* asked = std::getenv("AWEND_MATMUL");
  if (asked != nullptr && *asked != '\0') {
    const std::string_view word = asked;
    if (word == "subgroup") return MatmulPath::kSubgroup;
    if (word == "shared") return MatmulPath::kShared;
    base::fail("AWEND_MATMUL=", word, ": it is subgroup or shared");
  }
  return device.info().type == VK_PHYSICAL_DEVICE_TYPE_CPU ? MatmulPath::kSubgroup
                                                           : MatmulPath::kShared;
}

SharedTile shared_tile(std::uint32_t subgroup_size, std::uint32_t rows, std::uint32_t columns) {
  const auto& tiles = entry_for(kSharedTiles, subgroup_size).tiles;
  const auto groups = [&](const SharedTile& tile) {
    return std::uint64_t{(rows + tile.rows - 1) / tile.rows} *
           ((columns + tile.columns - 1) / tile.columns);
  };
  for (const auto& tile : tiles) {
    if (groups(tile) >= kEnoughWorkgroups) return tile;
  }
  return tiles.back();
}

AttentionTile attention_tile(std::uint32_t subgroup_size) {
  return entry_for(kAttentionTiles, subgroup_size).tile;
}

}  // namespace awend::nn
