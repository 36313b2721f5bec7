// The measurement of matrix units.  Skipped if the device has none.
#include "nn/matrix_speed.hpp"

#include "nn/matmul/matrix.hpp"
#include "tests/kernels/bench.hpp"

namespace awend::tests {

TEST_CASE("products on matrix units are measured", "[matrix][vulkan]") {
  if (nn::matrix_cuts(engine().limits(), vulkan::MatrixElement::kFloat16, nn::Form::kNN).empty())
    SKIP(engine().name() << " has no matrix units for fp16");
  const auto times = nn::measure_matrix_units(engine(), nn::Element::kFloat16);
  REQUIRE(times.has_value() == (engine().limits().timestamp_period_ns > 0));
  if (times) {
    CHECK(times->units > 0);
    CHECK(times->portable > 0);
  }
}

TEST_CASE("there is nothing to measure without matrix units", "[vulkan]") {
  CHECK_FALSE(nn::measure_matrix_units(engine(), nn::Element::kFloat32));
}

}  // namespace awend::tests
