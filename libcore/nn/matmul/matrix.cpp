#include "nn/matmul/matrix.hpp"

#include <algorithm>
#include <iterator>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "shaders/op_column_sum.h"
#include "shaders/op_matmul_matrix.h"

namespace awend::nn {
namespace {

// From large to small, with four subgroups each, or more if a part has too many sums for a
// subgroup. Large tiles read each element of a and b less often; small ones occupy a device for
// which a product has too few large ones.  The last one is for drivers that emulate matrix units,
// where the time to compile grows with the fragments.
constexpr MatrixTile kTiles[] = {
    {.rows = 128, .columns = 128, .depth = 32, .part_rows = 64, .part_columns = 64},
    {.rows = 64, .columns = 64, .depth = 32, .part_rows = 32, .part_columns = 32},
    {.rows = 32, .columns = 64, .depth = 32, .part_rows = 16, .part_columns = 32},
    {.rows = 32, .columns = 32, .depth = 16, .part_rows = 16, .part_columns = 16},
};

// Those of NVIDIA, measured on an H100 (tests/bench/RESULTS.md).  Few workgroups wait at barriers
// and for memory, and deep tiles do so less often.  Parts that are higher than wide load fewer
// fragments of b, which in other forms than NT are transposed.  The large tile of NT has twice as
// many sums as kSums, which these lanes have the registers for.
constexpr MatrixTile kWarpTiles[] = {
    {.rows = 128, .columns = 128, .depth = 32, .part_rows = 64, .part_columns = 32},
    {.rows = 64, .columns = 64, .depth = 64, .part_rows = 32, .part_columns = 32},
    {.rows = 32, .columns = 64, .depth = 64, .part_rows = 16, .part_columns = 32},
};
constexpr MatrixTile kLargeWarpTileNT = {
    .rows = 128, .columns = 128, .depth = 64, .part_rows = 64, .part_columns = 64};

// Sums of a part for each lane of its subgroup.  Operands need more registers than sums.  A lane
// with registers of its own has about 256, lanes that share them have 128 or fewer
// (vulkan/subgroups.hpp), and some of these hold what is common to all lanes.
constexpr std::uint32_t kSums = 64;
constexpr std::uint32_t kSumsOfShared = 16;
constexpr std::uint32_t kOwnRegisters = 32;  // lanes of hardware that does not share them
// With more, a processor has no second workgroup to switch to.
constexpr std::uint32_t kMaxSubgroups = 32;

// Workgroups that occupy a device: large GPUs have 60 to 140 processors.
constexpr std::uint32_t kBusyWorkgroups = 128;
// Fewest steps of a share, so that splitting the sum pays off.
constexpr std::uint32_t kShareDepth = 1024;
constexpr std::uint32_t kMaxShares = 16;

/// `tile` with parts whose sums fit in the registers of a subgroup.  Flat parts keep fewer
/// fragments of a in registers.
MatrixTile divided(MatrixTile tile, const vulkan::Limits& limits) {
  const bool shared = limits.subgroup_size < kOwnRegisters && !limits.on_cpu;
  const std::uint32_t sums = limits.subgroup_size * (shared ? kSumsOfShared : kSums);
  while (tile.part_rows * tile.part_columns > sums)
    (4 * tile.part_rows > tile.part_columns ? tile.part_rows : tile.part_columns) /= 2;
  return tile;
}

std::uint32_t subgroups_of(const MatrixTile& tile) {
  return tile.rows / tile.part_rows * (tile.columns / tile.part_columns);
}

/// The maximum of all forms: lines along or across the sum, padded by 8 elements of two bytes.
std::uint32_t shared_bytes(const MatrixTile& tile, const vulkan::MatrixShape& fragment) {
  const auto staged = [&](std::uint32_t side) {
    return 2 * std::max(side * (tile.depth + 8), tile.depth * (side + 8));
  };
  return std::max(staged(tile.rows) + staged(tile.columns),
                  4 * subgroups_of(tile) * fragment.rows * fragment.columns);
}

bool fits(const vulkan::Limits& limits, const MatrixTile& tile,
          const vulkan::MatrixShape& fragment) {
  return tile.part_rows % fragment.rows == 0 && tile.part_columns % fragment.columns == 0 &&
         tile.depth % fragment.depth == 0 && shared_bytes(tile, fragment) <= limits.shared_bytes &&
         subgroups_of(tile) <= kMaxSubgroups &&
         subgroups_of(tile) * limits.subgroup_size <= limits.workgroup_threads;
}

/// Whether subgroups are warps of NVIDIA, which have 32 lanes.  They have an instruction that
/// transposes a fragment while it is loaded.
bool has_warps(const vulkan::Limits& limits) {
  return limits.subgroup_size == 32;
}

/// From large to small.
std::vector<MatrixTile> tiles_for(const vulkan::Limits& limits, Form form) {
  std::vector<MatrixTile> tiles;
  if (has_warps(limits) && !limits.on_cpu) {
    if (form == Form::kNT) tiles.push_back(kLargeWarpTileNT);
    std::ranges::copy(kWarpTiles, std::back_inserter(tiles));
    return tiles;
  }
  for (const auto& tile : kTiles) tiles.push_back(divided(tile, limits));
  return tiles;
}

std::uint32_t tiles_in(const ProductSize& size, const MatrixTile& tile) {
  return base::divide_up(size.rows, tile.rows) * base::divide_up(size.columns, tile.columns);
}

std::uint32_t shares_of(const ProductSize& size, const MatrixTile& tile) {
  return std::clamp(
      std::min(kBusyWorkgroups / tiles_in(size, tile), size.shareable_depth / kShareDepth), 1u,
      kMaxShares);
}

ProductSize size_of(const Product& product) {
  const auto& [form, a, b, c, bias, flags] = product;
  if (form != Form::kTN) return {form, a.rows.capacity, c.columns};
  const bool shareable = flags == MATMUL_ACCUMULATE && !bias;
  return {form, a.columns, c.columns, shareable ? a.rows.capacity : 0};
}

/// Adds the `shares` matrices in `partial`, one below the other, to the c of the product.  For the
/// kernel, each matrix is one row.
void add_shares(Program& program, const Tensor& partial, const Product& product,
                std::uint32_t shares) {
  const std::uint32_t lanes = program.engine().limits().subgroup_size;
  const std::uint32_t elements = product.a.columns * product.c.columns;
  program.launch(ColumnSumFinalLaunch{
      .constants = {.columns = elements, .parts = 1, .part = 0},
      .operands = {.partial = partial.reshaped(program.fixed(shares), elements),
                   .gradient = product.c.reshaped(program.fixed(1), elements)},
      .push = {.rows_count = program.fixed(COLUMN_SUM_ROWS * shares).word},
      .x = Axis::of(1),
      .y = Axis::of(base::divide_up(elements / 4, lanes))});
}

}  // namespace

std::vector<MatrixCut> matrix_cuts(const vulkan::Limits& limits, vulkan::MatrixElement element,
                                   Form form) {
  std::vector<MatrixCut> cuts;
  for (const auto& tile : tiles_for(limits, form)) {
    // Drivers list their fastest fragments first.
    const auto fragment = std::ranges::find_if(limits.matrix_shapes, [&](const auto& shape) {
      return shape.element == element && fits(limits, tile, shape);
    });
    if (fragment == limits.matrix_shapes.end()) continue;
    cuts.push_back({.tile = tile, .fragment = *fragment, .transposes = !has_warps(limits)});
  }
  return cuts;
}

std::optional<MatrixCut> matrix_cut(const vulkan::Limits& limits, vulkan::MatrixElement element,
                                    const ProductSize& size) {
  std::optional<MatrixCut> best;
  for (const auto& cut : matrix_cuts(limits, element, size.form)) {
    best = cut;
    best->shares = shares_of(size, cut.tile);
    // Shares cost another launch.  On NVIDIA smaller tiles are faster; elsewhere nobody knows yet.
    const std::uint32_t counted = has_warps(limits) ? 1 : best->shares;
    if (!limits.on_cpu && tiles_in(size, cut.tile) * counted >= kBusyWorkgroups) break;
  }
  return best;
}

namespace {

std::optional<MatrixCut> best_cut(const Engine& engine, const Product& product) {
  const auto element = product.a.element == Element::kFloat16 ? vulkan::MatrixElement::kFloat16
                                                              : vulkan::MatrixElement::kBfloat16;
  return matrix_cut(engine.limits(), element, size_of(product));
}

}  // namespace

bool matrix_matmul_fits(const Engine& engine, const Product& product) {
  return product.a.element != Element::kFloat32 && product.a.columns % 8 == 0 &&
         product.c.columns % 8 == 0 && best_cut(engine, product).has_value();
}

void matrix_matmul(Program& program, const Product& product) {
  const auto cut = best_cut(program.engine(), product);
  base::check(cut.has_value(), "the device has matrix units");
  matrix_matmul(program, *cut, product);
}

void matrix_matmul(Program& program, const MatrixCut& cut, const Product& product) {
  const auto& [form, a, b, c, bias, given_flags] = product;
  const auto& [tile, fragment, shares, transposes] = cut;
  const std::uint32_t inner = a.columns;  // TN: rows of c
  base::check(a.element == b.element, "both operands have the same element type");
  base::check(inner % 8 == 0 && c.columns % 8 == 0, "matrix sizes are multiples of 8");
  base::check(shares == 1 || (form == Form::kTN && given_flags == MATMUL_ACCUMULATE && !bias),
              "only a form TN that accumulates is split into shares");
  const std::uint32_t threads = subgroups_of(tile) * program.engine().limits().subgroup_size;
  const Tensor out = shares == 1 ? c : program.activation(program.fixed(shares * inner), c.columns);
  const std::uint32_t flags = shares == 1 ? given_flags | (bias ? MATMUL_BIAS : 0) : 0;
  program.launch(MatrixMatmulLaunch{
      .kernel = fragment.element == vulkan::MatrixElement::kFloat16 ? "matmul_matrix_fp16"
                                                                    : "matmul_matrix_bf16",
      .constants = {.threads = threads,
                    .tile_rows = tile.rows,
                    .tile_columns = tile.columns,
                    .tile_depth = tile.depth,
                    .part_rows = tile.part_rows,
                    .part_columns = tile.part_columns,
                    .fragment_rows = fragment.rows,
                    .fragment_columns = fragment.columns,
                    .fragment_depth = fragment.depth,
                    .form = static_cast<std::uint32_t>(form),
                    .shares = shares,
                    .transposes = transposes},
      .operands = {.a = a, .b = b, .c = out, .bias = bias.value_or(c)},
      .push = {.rows_count = a.rows.word, .inner = inner, .columns = c.columns, .flags = flags},
      .x = form == Form::kTN ? Axis::of(base::divide_up(inner, tile.rows))
                             : Axis::rows(a.rows, tile.rows),
      .y = Axis::of(base::divide_up(c.columns, tile.columns) * shares)});
  if (shares > 1) add_shares(program, out, product, shares);
}

}  // namespace awend::nn
