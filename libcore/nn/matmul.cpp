#include "nn/matmul.hpp"

#include <string>
#include <vector>

#include "base/error.hpp"
#include "nn/matrix_matmul.hpp"
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
// Rows that a gradient of a weight sums at a time on a CPU.  Each tile of it reads columns of all
// of them, and what leaves the caches between two tiles halves the speed.
constexpr std::uint32_t kSumRows = 512;

std::uint32_t divide_up(std::uint32_t dividend, std::uint32_t divisor) {
  return (dividend + divisor - 1) / divisor;
}

/// What all kernels of a product are told, apart from their tiles.
struct Plan {
  std::string kernel;  // without the suffix of the element
  std::uint32_t output_rows;
  std::uint32_t flags;
  std::vector<std::uint32_t> element_constants;
};

Plan plan_of(const Product& product) {
  Plan plan;
  plan.kernel = product.form == Form::kNN   ? "matmul_nn"
                : product.form == Form::kNT ? "matmul_nt"
                                            : "matmul_tn";
  plan.output_rows = product.form == Form::kTN ? product.a.columns : product.a.rows.capacity;
  plan.flags = product.flags | (product.bias ? MATMUL_BIAS : 0);
  if (product.a.element != Element::kFloat32)
    plan.element_constants = {product.a.element == Element::kFloat16 ? 1u : 0u};
  return plan;
}

std::string with_element(std::string kernel, const Product& product) {
  return product.a.element == Element::kFloat32 ? kernel : kernel + "_16";
}

/// Workgroups of `rows` by `columns` of the output.
void launch_tiles(Program& program, const Product& product, Launch launch, std::uint32_t rows,
                  std::uint32_t columns) {
  launch.operands = {product.a, product.b, product.c, product.bias.value_or(product.c)};
  launch.x = product.form == Form::kTN ? Axis::of(divide_up(product.a.columns, rows))
                                       : Axis::rows(product.a.rows, rows);
  launch.y = Axis::of(divide_up(product.c.columns, columns));
  program.launch(std::move(launch));
}

void shared_matmul(Program& program, const Product& product, const Plan& plan) {
  const std::uint32_t lanes = program.engine().device.limits().subgroup_size;
  const SharedTile tile = shared_tile(lanes, plan.output_rows, product.c.columns);
  std::vector<std::uint32_t> constants = {tile.threads,         tile.rows,
                                          tile.columns,         tile.depth,
                                          tile.rows_per_thread, tile.columns_per_thread};
  constants.insert(constants.end(), plan.element_constants.begin(), plan.element_constants.end());
  launch_tiles(program, product,
               {.kernel = with_element(plan.kernel + "_shared", product),
                .constants = constants,
                .operands = {},
                .push_constants = bytes_of(MatmulPush{product.a.rows.word, product.a.columns,
                                                      product.c.columns, plan.flags})},
               tile.rows, tile.columns);
}

void subgroup_matmul(Program& program, const Product& product, const Plan& plan, bool few) {
  const SubgroupTile tile = few ? kFewTile : kTile;
  const std::uint32_t lanes = program.engine().device.limits().subgroup_size;
  const bool parts = product.form == Form::kTN;
  const std::uint32_t part = parts ? kSumRows : product.a.rows.capacity;
  for (std::uint32_t first = 0; first < product.a.rows.capacity; first += part) {
    const std::uint32_t flags = plan.flags | (first > 0 ? MATMUL_ACCUMULATE : 0);
    launch_tiles(program, product,
                 {.kernel = with_element(few ? plan.kernel + "_few" : plan.kernel, product),
                  .constants = plan.element_constants,
                  .operands = {},
                  .push_constants =
                      bytes_of(SubgroupMatmulPush{product.a.rows.word, product.a.columns,
                                                  product.c.columns, flags, first, first + part})},
                 tile.rows, 4 * tile.vectors * lanes);
  }
}

}  // namespace

void matmul(Program& program, const Product& product) {
  if (matrix_matmul_fits(program.engine(), product)) return matrix_matmul(program, product);
  portable_matmul(program, product);
}

void portable_matmul(Program& program, const Product& product) {
  base::check(product.a.columns % 4 == 0 && product.c.columns % 4 == 0,
              "matrix sizes are multiples of 4");
  base::check(product.a.element == product.b.element, "both operands of a product are of one kind");
  const Plan plan = plan_of(product);
  const bool few = product.form != Form::kTN && plan.output_rows <= kFewRows;
  if (!few && matmul_path(program.engine().device) == MatmulPath::kShared)
    return shared_matmul(program, product, plan);
  subgroup_matmul(program, product, plan, few);
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
