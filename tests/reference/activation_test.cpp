// The slopes of the activations against central differences.
#include "tests/reference/activation.hpp"

#include "tests/catch.hpp"

namespace awend::reference {

TEST_CASE("activations have their slopes") {
  constexpr double kStep = 1e-5;
  for (const auto activation : {Activation::kGelu, Activation::kSwish, Activation::kRelu}) {
    for (double z = -6; z <= 6; z += 0.37) {
      const double difference =
          (activate(z + kStep, activation) - activate(z - kStep, activation)) / (2 * kStep);
      CHECK(slope(z, activation) == Approx(difference).margin(1e-8));
    }
  }
  CHECK(activate(1, Activation::kGelu) == Approx(0.8413447461));
  CHECK(activate(1, Activation::kSwish) == Approx(0.7310585786));
}

}  // namespace awend::reference
