// Tiles of products in shared memory: each divides its work evenly among its threads, and tiles are
// small enough to occupy a GPU.
#include "nn/matmul/tiles.hpp"

#include "tests/catch.hpp"

namespace awend::nn {
namespace {

/// A device whose subgroups have `lanes` lanes, and whose hardware has `hardware_lanes`.
vulkan::Limits device(std::uint32_t lanes, std::uint32_t hardware_lanes) {
  vulkan::Limits limits{};
  limits.subgroup_size = lanes;
  limits.hardware_lanes = hardware_lanes;
  limits.workgroup_threads = 1024;
  limits.shared_bytes = 32 << 10;
  return limits;
}

vulkan::Limits device(std::uint32_t lanes) {
  return device(lanes, lanes);
}

}  // namespace

TEST_CASE("every tile divides evenly and fits shared memory", "[tiles]") {
  for (const std::uint32_t lanes : {4, 8, 16, 32, 64, 128}) {
    const auto limits = device(lanes);
    const auto tiles = shared_tiles(limits);
    CHECK(tiles.size() >= (lanes == 128 ? 3 : 4));
    for (const SharedTile& tile : tiles) {
      CAPTURE(lanes, tile.rows, tile.columns);
      CHECK(tile.rows * tile.columns ==
            tile.threads * tile.rows_per_thread * tile.columns_per_thread);
      CHECK(tile.rows * tile.depth / 4 % tile.threads == 0);
      CHECK(tile.columns * tile.depth / 4 % tile.threads == 0);
      CHECK(tile.rows_per_thread % 4 == 0);
      CHECK(tile.columns_per_thread % 4 == 0);
      CHECK(tile.threads % lanes == 0);
      CHECK(4 * tile.depth * (tile.rows + tile.columns + 8) <= limits.shared_bytes);
    }
  }
}

TEST_CASE("large outputs get large tiles, small ones small tiles", "[tiles]") {
  CHECK(shared_tile(device(32), 8192, 4096)->rows == 128);
  CHECK(shared_tile(device(32), 512, 1024)->rows == 64);
  CHECK(shared_tile(device(32), 256, 256)->rows == 32);
  CHECK(shared_tile(device(64), 8192, 4096)->columns == 64);
  CHECK(shared_tile(device(8), 8192, 4096)->rows == 64);
}

TEST_CASE("subgroups of 64 lanes on hardware of 32 have the tiles of the hardware", "[tiles]") {
  const auto tile = shared_tile(device(64, 32), 8192, 4096);
  REQUIRE(tile);
  CHECK(tile->rows_per_thread * tile->columns_per_thread == 64);
}

TEST_CASE("tiles in shared memory respect the limits of a device", "[tiles]") {
  auto limits = device(32);
  limits.shared_bytes = 16 << 10;  // that Vulkan guarantees
  for (const auto& tile : shared_tiles(limits)) CHECK(tile.rows < 128);
  CHECK(shared_tile(limits, 8192, 4096)->rows == 64);
  limits.workgroup_threads = 128;  // that Vulkan guarantees
  CHECK(shared_tile(limits, 8192, 4096)->threads <= 128);
  limits.shared_bytes = 4 << 10;
  CHECK_FALSE(shared_tile(limits, 8192, 4096));
}

}  // namespace awend::nn
