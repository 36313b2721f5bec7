// The check of matrix units finds nothing wrong here, or says that there are none.
#include "nn/matrix_check.hpp"

#include "tests/kernels/bench.hpp"

namespace awend::tests {

TEST_CASE("matrix units pass their check, and can be left out", "[matrix]") {
  nn::Engine own(std::getenv("AWEND_DEVICE") == nullptr ? "" : std::getenv("AWEND_DEVICE"));
  CHECK(nn::check_matrix_units(own, nn::Element::kFloat32).empty());
  for (const auto element : {nn::Element::kFloat16, nn::Element::kBfloat16}) {
    CHECK(nn::check_matrix_units(own, element).empty());
  }
  if (own.device.limits().matrix_shapes.empty())
    WARN("no matrix units on " << own.device.info().name);
  own.device.leave_out_matrix_units(vulkan::MatrixElement::kFloat16);
  own.device.leave_out_matrix_units(vulkan::MatrixElement::kBfloat16);
  CHECK(own.device.limits().matrix_shapes.empty());
}

}  // namespace awend::tests
