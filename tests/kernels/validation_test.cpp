// Last in its folder's order of names: with AWEND_VALIDATION=1 the layer, synchronisation checks
// included, said nothing.
#include "tests/kernels/bench.hpp"

namespace awend::tests {

TEST_CASE("zz: the validation layer has no message") {
  REQUIRE(engine().device.instance().validation_messages() == 0);
}

}  // namespace awend::tests
