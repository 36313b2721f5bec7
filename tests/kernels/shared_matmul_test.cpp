// Products in shared memory with all tiles, including those that are not chosen on this device.
#include "nn/matmul/product.hpp"
#include "nn/matmul/tiles.hpp"
#include "shaders/op_matmul_shared.h"
#include "tests/kernels/bench.hpp"
#include "tests/reference/matmul.hpp"

namespace awend::tests {
namespace {

struct Sizes {
  std::uint32_t rows, inner, columns;
};

/// Launches the kernel directly, because nn::matmul() would choose another tile.
void check_tile(const nn::SharedTile& tile, nn::Form form, const Sizes& sizes) {
  CAPTURE(tile.threads, tile.rows, tile.columns, static_cast<int>(form));
  const auto& [rows, inner, columns] = sizes;
  const bool reduces_rows = form == nn::Form::kTN;
  const Matrix a = noise(rows, inner, 1);
  const Matrix b = form == nn::Form::kNN   ? noise(inner, columns, 2)
                   : form == nn::Form::kNT ? noise(columns, inner, 2)
                                           : noise(rows, columns, 2);
  Bench bench;
  const auto count = bench.program.count(rows + 9);
  bench.set_rows(count, rows);
  const auto at = bench.given(count, a);
  const auto b_count =
      reduces_rows ? count : bench.program.fixed(static_cast<std::uint32_t>(b.rows));
  const auto bt = bench.given(b_count, b);
  const auto c = bench.program.output(reduces_rows ? bench.program.fixed(inner) : count, columns);
  const char* kernel = form == nn::Form::kNN   ? "matmul_nn_shared"
                       : form == nn::Form::kNT ? "matmul_nt_shared"
                                               : "matmul_tn_shared";
  const std::uint32_t output_rows = reduces_rows ? inner : rows;
  bench.program.launch(nn::SharedMatmulLaunch{
      .kernel = kernel,
      .constants = {.threads = tile.threads,
                    .rows = tile.rows,
                    .columns = tile.columns,
                    .depth = tile.depth,
                    .rows_per_thread = tile.rows_per_thread,
                    .columns_per_thread = tile.columns_per_thread},
      .operands = {.a = at, .b = bt, .c = c, .bias = c},
      .push = {.rows_count = count.word, .inner = inner, .columns = columns, .flags = 0},
      .x = nn::Axis::of((output_rows + tile.rows - 1) / tile.rows),
      .y = nn::Axis::of((columns + tile.columns - 1) / tile.columns)});
  bench.run();
  const Matrix expected = reference::product(reduces_rows ? reference::transpose(a) : a,
                                             form == nn::Form::kNT ? reference::transpose(b) : b);
  require_close(bench.read(c, output_rows), expected);
}

}  // namespace

TEST_CASE("all tiles of products in shared memory", "[.tiles][vulkan]") {
  // Vulkan guarantees 128 threads and 16 KiB of shared memory.
  const auto& device = engine().limits();
  std::vector<nn::SharedTile> tiles;
  for (const std::uint32_t lanes : {8, 32, 64}) {
    vulkan::Limits limits{};
    limits.subgroup_size = limits.hardware_lanes = lanes;
    limits.workgroup_threads = std::min(256u, device.workgroup_threads);
    limits.shared_bytes = std::min(32u << 10, device.shared_bytes);
    for (const auto& tile : nn::shared_tiles(limits)) {
      if (std::ranges::find(tiles, tile) == tiles.end()) tiles.push_back(tile);
    }
  }
  REQUIRE(tiles.size() >= 3);
  for (const auto& tile : tiles) {
    for (const auto form : {nn::Form::kNN, nn::Form::kNT, nn::Form::kTN})
      check_tile(tile, form, {.rows = 150, .inner = 68, .columns = 132});
  }
}

}  // namespace awend::tests
