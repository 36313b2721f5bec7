#include "host/product.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "host/product_kernel.hpp"

namespace awend::host {
namespace {

/// Memory of a thread for packed operands, kept from one product to the next.
float* scratch_of_thread() {
  thread_local const AlignedMemory scratch(sizeof(float) * scratch_floats());
  return scratch.as<float>();
}

/// How the result is divided among threads.
struct Grid {
  std::size_t rows;
  std::size_t columns;
};

// Threads are not worth waking for less: about 30 microseconds of one thread.
constexpr std::size_t kMinMultiplications = 3'000'000;

/// Each thread packs the operands of its block.  Of all grids, the one with the least to pack.
Grid grid_of(const Product& product, unsigned threads, bool is_packed) {
  const auto work = product.rows * product.columns * product.inner;
  const std::size_t useful =
      std::clamp<std::size_t>(work / kMinMultiplications, 1, std::size_t{threads});
  const auto [tile_rows, tile_columns] = tile_shape();
  const std::size_t max_rows = base::divide_up(product.rows, tile_rows);
  const std::size_t max_columns = base::divide_up(product.columns, tile_columns);
  Grid best{1, 1};
  std::size_t best_cost = SIZE_MAX;
  for (std::size_t rows = 1; rows <= useful; ++rows) {
    const std::size_t columns = std::min(useful / rows, max_columns);
    if (rows > max_rows) break;
    // The time of the largest block, and the packing of all, which a multiplication outweighs.
    const std::size_t largest = base::divide_up(max_rows, rows) * tile_rows *
                                base::divide_up(max_columns, columns) * tile_columns;
    const std::size_t packed =
        base::divide_up(max_rows, rows) * tile_rows +
        (is_packed ? 0 : base::divide_up(max_columns, columns) * tile_columns);
    const std::size_t cost = largest + 16 * packed;
    if (cost < best_cost) best = {rows, columns}, best_cost = cost;
  }
  return best;
}

/// The part of [0, size) for `index` of `count`, in whole units.
std::pair<std::size_t, std::size_t> share(std::size_t size, std::size_t unit, std::size_t index,
                                          std::size_t count) {
  const std::size_t units = base::divide_up(size, unit);
  const std::size_t begin = std::min(units * index / count * unit, size);
  const std::size_t end = std::min(units * (index + 1) / count * unit, size);
  return {begin, end - begin};
}

/// A sum over nothing.
void write_start(const Product& product) {
  for (std::size_t i = 0; i < product.rows * product.columns; ++i) {
    float& c = product.c[i];
    if (product.start != Start::kResult)
      c = product.start == Start::kBias ? product.bias[i % product.columns] : 0;
    if (product.finish == Finish::kRelu && c < 0) c = 0;
  }
}

void multiply(ThreadPool& pool, const Product& product, const float* packed) {
  base::check(product.start != Start::kBias || product.bias != nullptr, "a bias is given");
  if (product.inner == 0) return write_start(product);
  const Grid grid = grid_of(product, pool.size(), packed != nullptr);
  const auto tile = tile_shape();
  pool.run(static_cast<unsigned>(grid.rows * grid.columns), [&](unsigned index) {
    const auto [first_row, rows] = share(product.rows, tile.rows, index / grid.columns, grid.rows);
    const auto [first_column, columns] =
        share(product.columns, tile.columns, index % grid.columns, grid.columns);
    multiply_block(product, {first_row, rows, first_column, columns}, packed, scratch_of_thread());
  });
}

}  // namespace

PackedOperand::PackedOperand(const Operand& b, std::size_t inner, std::size_t columns)
    : inner_(inner), columns_(columns), values_(packed_floats(inner, columns) * sizeof(float)) {
  pack(b, inner, columns, values_.as<float>());
}

void multiply(ThreadPool& pool, const Product& product) {
  multiply(pool, product, nullptr);
}

void multiply(ThreadPool& pool, const Product& product, const PackedOperand& packed) {
  base::check(packed.inner() == product.inner && packed.columns() == product.columns,
              "the packed operand has the shape of the product's");
  multiply(pool, product, packed.values());
}

}  // namespace awend::host
