// The last test in alphabetical order: with AWEND_VALIDATION=1, the validation layer, including
// synchronization checks, has reported nothing.
#include "nn/gpu.hpp"
#include "tests/kernels/bench.hpp"

namespace awend::tests {

TEST_CASE("zz: the validation layer has no message", "[vulkan]") {
  if (!engine().gpu().device.instance().validates()) SKIP("AWEND_VALIDATION is not 1");
  REQUIRE(engine().gpu().device.instance().validation_messages() == 0);
}

}  // namespace awend::tests
