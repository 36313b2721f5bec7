#include "nn/matmul.hpp"

#include <string>
#include <vector>

#include "base/error.hpp"
#include "nn/shader_types.hpp"
#include "nn/tiles.hpp"

namespace awend::nn {
namespace {

/// TILE_ROWS and TILE_VECTORS of a variant in shaders/kernels.cmake.
struct SubgroupTile {
  std::uint32_t rows;
  std::uint32_t vectors;
};
// Few rows (decoding) would leave a tall tile mostly idle.
constexpr SubgroupTile kTile = {32, 2};
constexpr SubgroupTile kFewTile = {8, 1};
constexpr std::uint32_t kFewRows = 64;
constexpr std::uint32_t kFlatRows = 2048;  // of one column, to one subgroup of narrow()

/// A kernel for a product, its constants, and what one workgroup of it computes.
struct Choice {
  std::string kernel;
  std::vector<std::uint32_t> constants;
  std::uint32_t rows;
  std::uint32_t columns;
};

Choice choose(const Program& program, const Product& product, std::uint32_t output_rows) {
  const auto& device = program.engine().device;
  const std::uint32_t lanes = device.limits().subgroup_size;
  const bool few = product.form != Form::kTN && output_rows <= kFewRows;
  Choice choice;
  choice.kernel = product.form == Form::kNN   ? "matmul_nn"
                  : product.form == Form::kNT ? "matmul_nt"
                                              : "matmul_tn";
  if (!few && matmul_path(device) == MatmulPath::kShared) {
    const SharedTile tile = shared_tile(lanes, output_rows, product.c.columns);
    choice.kernel += "_shared";
    choice.constants = {tile.threads,         tile.rows,
                        tile.columns,         tile.depth,
                        tile.rows_per_thread, tile.columns_per_thread};
    choice.rows = tile.rows;
    choice.columns = tile.columns;
  } else {
    const SubgroupTile tile = few ? kFewTile : kTile;
    if (few) choice.kernel += "_few";
    choice.rows = tile.rows;
    choice.columns = 4 * tile.vectors * lanes;
  }
  const Element element = product.a.element;
  if (element != Element::kFloat32) {
    choice.kernel += "_16";
    choice.constants.push_back(element == Element::kFloat16 ? 1 : 0);
  }
  return choice;
}

}  // namespace

void matmul(Program& program, const Product& product) {
  const auto& [form, a, b, c, bias, given_flags] = product;
  const std::uint32_t inner = a.columns;  // TN: rows of c
  const std::uint32_t columns = c.columns;
  base::check(inner % 4 == 0 && columns % 4 == 0, "matrix sizes are multiples of 4");
  base::check(a.element == b.element, "both operands of a product are of one kind");
  const std::uint32_t flags = given_flags | (bias ? MATMUL_BIAS : 0);
  const std::uint32_t output_rows = form == Form::kTN ? inner : a.rows.capacity;
  const Choice choice = choose(program, product, output_rows);
  program.launch({.kernel = choice.kernel,
                  .constants = choice.constants,
                  .operands = {a, b, c, bias.value_or(c)},
                  .push_constants = bytes_of(MatmulPush{a.rows.word, inner, columns, flags}),
                  .x = form == Form::kTN ? Axis::of((output_rows + choice.rows - 1) / choice.rows)
                                         : Axis::rows(a.rows, choice.rows),
                  .y = Axis::of((columns + choice.columns - 1) / choice.columns)});
}

void narrow(Program& program, const Tensor& x, const Tensor& y) {
  base::check(x.columns == y.columns && y.element != Element::kFloat32,
              "narrowing keeps the shape");
  // A flat buffer is one column of many rows.
  const std::uint32_t rows = x.columns >= 4 ? ROWS_PER_GROUP : kFlatRows;
  program.launch({.kernel = "narrow",
                  .constants = {x.columns, rows, y.element == Element::kFloat16 ? 1u : 0u},
                  .operands = {x, y},
                  .push_constants = bytes_of(RowsPush{x.rows.word}),
                  .x = Axis::rows(x.rows, rows)});
}

void add_column_sums(Program& program, const Tensor& dy, const Tensor& gradient) {
  const std::uint32_t lanes = program.engine().device.limits().subgroup_size;
  const std::uint32_t groups = (dy.columns / 4 + lanes - 1) / lanes;
  const std::uint32_t blocks = (dy.rows.capacity + COLUMN_SUM_ROWS - 1) / COLUMN_SUM_ROWS;
  const Tensor partial = program.activation(program.fixed(blocks), dy.columns);
  program.launch({.kernel = "column_sum",
                  .constants = {dy.columns},
                  .operands = {dy, partial},
                  .push_constants = bytes_of(RowsPush{dy.rows.word}),
                  .x = Axis::rows(dy.rows, COLUMN_SUM_ROWS),
                  .y = Axis::of(groups)});
  program.launch({.kernel = "column_sum_final",
                  .constants = {dy.columns, 1, 0},
                  .operands = {partial, gradient},
                  .push_constants = bytes_of(RowsPush{dy.rows.word}),
                  .x = Axis::of(1),
                  .y = Axis::of(groups)});
}

}  // namespace awend::nn
