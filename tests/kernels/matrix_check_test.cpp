// The check of matrix units passes.  Skipped if the device has none.
#include "nn/matrix_check.hpp"

#include "nn/gpu.hpp"
#include "tests/kernels/bench.hpp"

namespace awend::tests {

TEST_CASE("matrix units pass their check, and can be disabled", "[matrix][vulkan]") {
  nn::Engine own({.requested = engine().id()});
  if (own.limits().matrix_shapes.empty()) SKIP(own.name() << " has no matrix units");
  CHECK(nn::check_matrix_units(own, nn::Element::kFloat32).warning.empty());
  for (const auto element : {nn::Element::kFloat16, nn::Element::kBfloat16}) {
    CHECK(nn::check_matrix_units(own, element).warning.empty());
  }
  own.gpu().device.disable_matrix_units(vulkan::MatrixElement::kFloat16);
  own.gpu().device.disable_matrix_units(vulkan::MatrixElement::kBfloat16);
  CHECK(own.limits().matrix_shapes.empty());
}

}  // namespace awend::tests
