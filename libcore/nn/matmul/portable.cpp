#include "nn/matmul/portable.hpp"

#include <string>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "nn/matmul/tiles.hpp"
#include "shaders/op_matmul.h"
#include "shaders/op_matmul_shared.h"

namespace awend::nn {
namespace {

/// TILE_ROWS and TILE_VECTORS of a variant in shaders/kernels.cmake.
struct SubgroupTile {
  std::uint32_t rows;
  std::uint32_t vectors;
};
// A tall tile would be mostly empty for few rows, as in decoding.
constexpr SubgroupTile kTile = {32, 2};
constexpr SubgroupTile kFewRowsTile = {8, 1};
constexpr std::uint32_t kFewRows = 64;
// On a CPU, the gradient of a weight is summed over this many rows at a time.  Each tile reads
// columns of all of them; if they do not stay in the cache between two tiles, the speed halves.
constexpr std::uint32_t kSumRows = 512;

bool is_narrow(const Product& product) {
  return product.a.element != Element::kFloat32;
}

std::uint32_t output_rows(const Product& product) {
  return product.form == Form::kTN ? product.a.columns : product.a.rows.capacity;
}

std::uint32_t flags_of(const Product& product) {
  return product.flags | (product.bias ? MATMUL_BIAS : 0);
}

/// "matmul_nt" + `variant`, and "_16" for 16-bit operands.
std::string kernel_name(const Product& product, const char* variant) {
  const char* form = product.form == Form::kNN   ? "matmul_nn"
                     : product.form == Form::kNT ? "matmul_nt"
                                                 : "matmul_tn";
  return base::concat(form, variant, is_narrow(product) ? "_16" : "");
}

/// Sets the workgroups, each of which computes `rows` by `columns` of the output, and launches.
void launch_tiles(Program& program, const Product& product, Launch launch, std::uint32_t rows,
                  std::uint32_t columns) {
  launch.x = product.form == Form::kTN ? Axis::of(base::divide_up(product.a.columns, rows))
                                       : Axis::rows(product.a.rows, rows);
  launch.y = Axis::of(base::divide_up(product.c.columns, columns));
  program.launch(std::move(launch));
}

void shared_matmul(Program& program, const Product& product, const SharedTile& tile) {
  const std::string kernel = kernel_name(product, "_shared");
  const auto& [form, a, b, c, bias, flags] = product;
  const SharedMatmulPush push{.rows_count = a.rows.word,
                              .inner = a.columns,
                              .columns = c.columns,
                              .flags = flags_of(product)};
  if (is_narrow(product)) {
    launch_tiles(
        program, product,
        SharedMatmul16Launch{.kernel = kernel,
                             .constants = {.threads = tile.threads,
                                           .rows = tile.rows,
                                           .columns = tile.columns,
                                           .depth = tile.depth,
                                           .rows_per_thread = tile.rows_per_thread,
                                           .columns_per_thread = tile.columns_per_thread,
                                           .fp16 = a.element == Element::kFloat16},
                             .operands = {.a = a, .b = b, .c = c, .bias = bias.value_or(c)},
                             .push = {.rows_count = push.rows_count,
                                      .inner = push.inner,
                                      .columns = push.columns,
                                      .flags = push.flags}},
        tile.rows, tile.columns);
  } else {
    launch_tiles(program, product,
                 SharedMatmulLaunch{.kernel = kernel,
                                    .constants = {.threads = tile.threads,
                                                  .rows = tile.rows,
                                                  .columns = tile.columns,
                                                  .depth = tile.depth,
                                                  .rows_per_thread = tile.rows_per_thread,
                                                  .columns_per_thread = tile.columns_per_thread},
                                    .operands = {.a = a, .b = b, .c = c, .bias = bias.value_or(c)},
                                    .push = push},
                 tile.rows, tile.columns);
  }
}

/// One launch of the subgroup kernel; `first` and `end` are rows of a form TN.
void subgroup_launch(Program& program, const Product& product, const SubgroupMatmulPush& push) {
  const bool few = product.form != Form::kTN && output_rows(product) <= kFewRows;
  const SubgroupTile tile = few ? kFewRowsTile : kTile;
  const std::uint32_t columns = 4 * tile.vectors * program.engine().limits().subgroup_size;
  const std::string kernel = kernel_name(product, few ? "_few" : "");
  const auto& [form, a, b, c, bias, flags] = product;
  if (is_narrow(product)) {
    launch_tiles(
        program, product,
        SubgroupMatmul16Launch{.kernel = kernel,
                               .constants = {.fp16 = a.element == Element::kFloat16},
                               .operands = {.a = a, .b = b, .c = c, .added = bias.value_or(c)},
                               .push = {.rows_count = push.rows_count,
                                        .inner = push.inner,
                                        .columns = push.columns,
                                        .flags = push.flags,
                                        .first = push.first,
                                        .end = push.end}},
        tile.rows, columns);
  } else {
    launch_tiles(
        program, product,
        SubgroupMatmulLaunch{.kernel = kernel,
                             .constants = {},
                             .operands = {.a = a, .b = b, .c = c, .added = bias.value_or(c)},
                             .push = push},
        tile.rows, columns);
  }
}

void subgroup_matmul(Program& program, const Product& product) {
  const Count& rows = product.a.rows;
  const std::uint32_t part = product.form == Form::kTN ? kSumRows : rows.capacity;
  for (std::uint32_t first = 0; first < rows.capacity; first += part) {
    const std::uint32_t flags = flags_of(product) | (first > 0 ? MATMUL_ACCUMULATE : 0);
    subgroup_launch(program, product,
                    {.rows_count = rows.word,
                     .inner = product.a.columns,
                     .columns = product.c.columns,
                     .flags = flags,
                     .first = first,
                     .end = first + part});
  }
}

}  // namespace

void portable_matmul(Program& program, const Product& product) {
  base::check(product.a.columns % 4 == 0 && product.c.columns % 4 == 0,
              "matrix sizes are multiples of 4");
  base::check(product.a.element == product.b.element, "both operands have the same element type");
  const bool few = product.form != Form::kTN && output_rows(product) <= kFewRows;
  const auto& limits = program.engine().limits();
  const auto tile = shared_tile(limits, output_rows(product), product.c.columns);
  if (!few && tile && matmul_path(limits) == MatmulPath::kShared) {
    shared_matmul(program, product, *tile);
  } else {
    subgroup_matmul(program, product);
  }
}

}  // namespace awend::nn
