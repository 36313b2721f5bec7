// The last test in alphabetical order: with AWEND_VALIDATION=1, the validation layer, including
// synchronization checks, has reported nothing.
#include "tests/kernels/bench.hpp"

namespace awend::tests {

TEST_CASE("zz: the validation layer has no message") {
  if (!engine().device.instance().validates()) SKIP("AWEND_VALIDATION is not 1");
  REQUIRE(engine().device.instance().validation_messages() == 0);
}

}  // namespace awend::tests
