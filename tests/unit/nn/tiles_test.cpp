// Tiles of products in shared memory: each divides its work evenly among its threads, and tiles are
// small enough to occupy a GPU.
#include "nn/matmul/tiles.hpp"

#include "tests/catch.hpp"

namespace awend::nn {
namespace {

TEST_CASE("every tile divides evenly and fits shared memory", "[tiles]") {
  for (const std::uint32_t lanes : {4, 8, 16, 32, 64, 128}) {
    for (const std::uint32_t rows : {1, 64, 512, 8192}) {
      for (const std::uint32_t columns : {4, 256, 1024, 37000}) {
        CAPTURE(lanes, rows, columns);
        const SharedTile tile = shared_tile(lanes, rows, columns);
        CHECK(tile.rows * tile.columns ==
              tile.threads * tile.rows_per_thread * tile.columns_per_thread);
        CHECK(tile.rows * tile.depth / 4 % tile.threads == 0);
        CHECK(tile.columns * tile.depth / 4 % tile.threads == 0);
        CHECK(tile.rows_per_thread % 4 == 0);
        CHECK(tile.columns_per_thread % 4 == 0);
        CHECK(tile.threads % std::min(lanes, 64u) == 0);
        // Lavapipe has 32 KiB; Vulkan guarantees 16 KiB.
        CHECK(4 * tile.depth * (tile.rows + tile.columns + 8) <= 32768);
      }
    }
  }
}

TEST_CASE("large outputs get large tiles, small ones small tiles", "[tiles]") {
  CHECK(shared_tile(32, 8192, 4096).rows == 128);
  CHECK(shared_tile(32, 512, 1024).rows == 64);
  CHECK(shared_tile(32, 256, 256).rows == 32);
  CHECK(shared_tile(64, 8192, 4096).columns == 64);
  CHECK(shared_tile(8, 8192, 4096).rows == 64);
}

}  // namespace
}  // namespace awend::nn
