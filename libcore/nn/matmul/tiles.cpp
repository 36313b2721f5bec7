#include "nn/matmul/tiles.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "base/error.hpp"
#include "base/numbers.hpp"

namespace awend::nn {
namespace {

/// Tiles from large to small.
struct SharedTiles {
  std::uint32_t hardware_lanes;  ///< At least that many.
  std::array<SharedTile, 4> tiles;
};

// The results of a thread are in registers, which limits how many subgroups a processor can switch
// between.  Wide hardware, 64 lanes (AMD GCN and CDNA), has 256 registers for each lane of all its
// subgroups together; 32 lanes (NVIDIA, AMD RDNA also with subgroups of 64) have 512 or more, so
// that a thread can have twice the results.  With fewer lanes (Intel), a thread has 128 in all, and
// a processor has fewer threads.  The last tile is for subgroups of 128 lanes.
constexpr SharedTile kSmall = {64, 32, 32, 16, 4, 4};
constexpr SharedTile kWideSubgroup = {128, 32, 64, 16, 4, 4};
constexpr SharedTiles kSharedTiles[] = {
    {64, {{{256, 128, 64, 16, 8, 4}, {256, 64, 64, 16, 4, 4}, kSmall, kWideSubgroup}}},
    {32, {{{256, 128, 128, 16, 8, 8}, {256, 64, 64, 16, 4, 4}, kSmall, kWideSubgroup}}},
    {0, {{{128, 64, 64, 16, 8, 4}, {128, 32, 64, 16, 4, 4}, kSmall, kWideSubgroup}}},
};

// Streaming multiprocessors or compute units of a large GPU.
constexpr std::uint64_t kEnoughWorkgroups = 128;

const SharedTiles& tiles_for(const vulkan::Limits& limits) {
  return *std::ranges::find_if(kSharedTiles, [&](const SharedTiles& entry) {
    return limits.hardware_lanes >= entry.hardware_lanes;
  });
}

/// Bytes of shared memory, with the padding of the shader.
std::uint32_t shared_bytes(const SharedTile& tile) {
  return 4 * tile.depth * (tile.rows + 4 + tile.columns + 4);
}

bool fits(const vulkan::Limits& limits, const SharedTile& tile) {
  return tile.threads % limits.subgroup_size == 0 && tile.threads <= limits.workgroup_threads &&
         shared_bytes(tile) <= limits.shared_bytes;
}

}  // namespace

MatmulPath matmul_path(const vulkan::Limits& limits) {
  const char* requested = std::getenv("AWEND_MATMUL");
  if (requested != nullptr && *requested != '\0') {
    const std::string_view word = requested;
    if (word == "subgroup") return MatmulPath::kSubgroup;
    if (word == "shared") return MatmulPath::kShared;
    base::fail("AWEND_MATMUL must be subgroup or shared, got ", word);
  }
  return limits.on_cpu ? MatmulPath::kSubgroup : MatmulPath::kShared;
}

std::vector<SharedTile> shared_tiles(const vulkan::Limits& limits) {
  std::vector<SharedTile> tiles;
  for (const auto& tile : tiles_for(limits).tiles) {
    if (fits(limits, tile)) tiles.push_back(tile);
  }
  return tiles;
}

std::optional<SharedTile> shared_tile(const vulkan::Limits& limits, std::uint32_t rows,
                                      std::uint32_t columns) {
  std::optional<SharedTile> smallest;
  for (const auto& tile : shared_tiles(limits)) {
    const std::uint64_t groups =
        std::uint64_t{base::divide_up(rows, tile.rows)} * base::divide_up(columns, tile.columns);
    if (groups >= kEnoughWorkgroups) return tile;
    if (!smallest || tile.rows * tile.columns < smallest->rows * smallest->columns) smallest = tile;
  }
  return smallest;
}

}  // namespace awend::nn
