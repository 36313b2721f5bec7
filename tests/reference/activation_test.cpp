// Derivatives of the activation functions compared with central differences.
#include "tests/reference/activation.hpp"

#include "tests/catch.hpp"

namespace awend::reference {

TEST_CASE("derivatives of activation functions equal central differences") {
  constexpr double kStep = 1e-5;
  for (const auto activation : {Activation::kNone, Activation::kRelu, Activation::kGelu,
                                Activation::kSwish, Activation::kSigmoid, Activation::kTanh}) {
    CAPTURE(static_cast<int>(activation));
    for (double z = -6; z <= 6; z += 0.37) {
      const double difference =
          (activate(z + kStep, activation) - activate(z - kStep, activation)) / (2 * kStep);
      CHECK(derivative(z, activation) == Approx(difference).margin(1e-8));
    }
  }
}

TEST_CASE("activation functions have their known values") {
  CHECK(activate(1, Activation::kGelu) == Approx(0.8413447461));
  CHECK(activate(1, Activation::kSwish) == Approx(0.7310585786));
  CHECK(activate(1, Activation::kSigmoid) == Approx(0.7310585786));
  CHECK(activate(0, Activation::kSigmoid) == 0.5);
  CHECK(activate(1, Activation::kTanh) == Approx(0.7615941560));
}

}  // namespace awend::reference
