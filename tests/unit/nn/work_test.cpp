// Estimates of the work of launches.
#include "nn/work.hpp"

#include "tests/catch.hpp"

namespace awend::nn {
namespace {

TEST_CASE("operations of a launch", "[pace]") {
  Launch launch{.kernel = "residual", .constants = {}, .operands = {}, .push_constants = {}};
  CHECK(flops_of(launch) == 0);
  launch.flops = 7;
  CHECK(flops_of(launch) == 7);
}

TEST_CASE("attention multiplies each query with its keys and values", "[pace]") {
  const Tensor rows{1, {0, 1000}, 512};
  Launch launch{.kernel = "attention",
                .constants = {},
                .operands = {{"q", OperandAccess::kRead, OperandType::k_vec4, 512, rows}},
                .push_constants = {}};
  CHECK(flops_of(launch) == 2.0 * 2 * 1000 * 512 * 128);
  // Gradients need the outputs' gradient, and twice the products.
  launch.operands.push_back({"dy", OperandAccess::kRead, OperandType::k_vec4, 512, rows});
  CHECK(flops_of(launch) == 2.0 * 4 * 1000 * 512 * 128);
  launch.operands[0].name = "x";
  CHECK(flops_of(launch) == 0);
}

}  // namespace
}  // namespace awend::nn
