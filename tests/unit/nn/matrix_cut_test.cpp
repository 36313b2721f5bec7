// The division of products on matrix units into workgroups, on different devices.
#include "nn/matmul/matrix.hpp"
#include "tests/catch.hpp"

namespace awend::nn {
namespace {

using vulkan::MatrixElement;

/// A large GPU, similar to those of NVIDIA.
vulkan::Limits gpu() {
  vulkan::Limits limits{};
  limits.subgroup_size = 32;
  limits.workgroup_threads = 1024;
  limits.shared_bytes = 48 << 10;
  limits.matrix_shapes = {{MatrixElement::kFloat16, 16, 16, 16},
                          {MatrixElement::kFloat16, 16, 8, 16}};
  return limits;
}

}  // namespace

TEST_CASE("many rows get the largest tile, few a small one") {
  const auto large = matrix_cut(gpu(), MatrixElement::kFloat16,
                                {.form = Form::kNN, .rows = 25000, .columns = 512});
  REQUIRE(large);
  CHECK(large->tile.rows == 128);
  CHECK(large->tile.columns == 128);
  CHECK(large->fragment.columns == 16);
  CHECK(large->shares == 1);
  const auto small =
      matrix_cut(gpu(), MatrixElement::kFloat16, {.form = Form::kNN, .rows = 16, .columns = 512});
  REQUIRE(small);
  CHECK(small->tile.rows == 32);
}

TEST_CASE("a long sum with a small result is split into shares, of the smallest tile") {
  ProductSize gradient = {.form = Form::kTN, .rows = 256, .columns = 256, .shareable_depth = 25000};
  const auto cut = matrix_cut(gpu(), MatrixElement::kFloat16, gradient);
  REQUIRE(cut);
  CHECK(cut->tile.rows == 32);
  CHECK(cut->shares == 4);
  gradient.shareable_depth = 0;
  CHECK(matrix_cut(gpu(), MatrixElement::kFloat16, gradient)->shares == 1);
  // Enough small tiles.
  gradient = {.form = Form::kTN, .rows = 512, .columns = 512, .shareable_depth = 25000};
  CHECK(matrix_cut(gpu(), MatrixElement::kFloat16, gradient)->shares == 1);
}

TEST_CASE("the form with adjacent operands gets the largest parts") {
  const auto part_of = [](Form form) {
    const auto cut =
        matrix_cut(gpu(), MatrixElement::kFloat16, {.form = form, .rows = 25000, .columns = 4096});
    return cut->tile.part_rows * cut->tile.part_columns;
  };
  CHECK(part_of(Form::kNT) == 2 * part_of(Form::kNN));
  CHECK(part_of(Form::kTN) == part_of(Form::kNN));
}

TEST_CASE("without matrix units for an element there is no cut") {
  const ProductSize size = {.form = Form::kNN, .rows = 512, .columns = 512};
  CHECK_FALSE(matrix_cut(gpu(), MatrixElement::kBfloat16, size));
  auto none = gpu();
  none.matrix_shapes.clear();
  CHECK_FALSE(matrix_cut(none, MatrixElement::kFloat16, size));
}

TEST_CASE("tiles respect the limits of a device") {
  auto limits = gpu();
  limits.shared_bytes = 16 << 10;
  for (const Form form : {Form::kNN, Form::kNT}) {
    const auto cuts = matrix_cuts(limits, MatrixElement::kFloat16, form);
    for (const auto& cut : cuts) CHECK(cut.tile.rows < 128);
    CHECK_FALSE(cuts.empty());
  }
  limits = gpu();
  limits.workgroup_threads = 64;
  CHECK(matrix_cuts(limits, MatrixElement::kFloat16, Form::kNN).empty());
}

TEST_CASE("the sums of a subgroup fit in the registers of its lanes") {
  for (const std::uint32_t lanes : {8u, 16u, 32u, 64u}) {
    auto limits = gpu();
    limits.subgroup_size = lanes;
    limits.matrix_shapes = {{MatrixElement::kFloat16, 8, 16, 16},
                            {MatrixElement::kFloat16, 8, 8, 16}};
    const auto cuts = matrix_cuts(limits, MatrixElement::kFloat16, Form::kNN);
    REQUIRE(cuts.size() >= 3);
    for (const auto& [tile, fragment, shares, transposes] : cuts) {
      CAPTURE(lanes, tile.rows, tile.columns);
      CHECK(tile.part_rows * tile.part_columns <= (lanes < 32 ? 16 : 64) * lanes);
      CHECK(tile.part_rows % fragment.rows == 0);
      CHECK(tile.part_columns % fragment.columns == 0);
      CHECK(tile.rows % tile.part_rows == 0);
      CHECK(tile.columns % tile.part_columns == 0);
    }
  }
}

TEST_CASE("a CPU gets the smallest tile for any product") {
  auto limits = gpu();
  limits.on_cpu = true;
  const auto cut = matrix_cut(limits, MatrixElement::kFloat16,
                              {.form = Form::kNN, .rows = 25000, .columns = 512});
  REQUIRE(cut);
  CHECK(cut->tile.rows == 32);
  CHECK(cut->tile.columns == 32);
}

}  // namespace awend::nn
