// Derivatives of the activation functions, and gradients of gated ones, compared with central
// differences.
#include "tests/reference/gated_activation.hpp"
#include "tests/reference/gradient_check.hpp"

namespace awend::reference {

TEST_CASE("derivatives of activation functions equal central differences") {
  constexpr double kStep = 1e-5;
  for (const auto activation :
       {Activation::kNone, Activation::kRelu, Activation::kGelu, Activation::kSwish,
        Activation::kSigmoid, Activation::kTanh, Activation::kGeluTanh, Activation::kGeluSigmoid}) {
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
  CHECK(activate(1, Activation::kGeluTanh) == Approx(0.8411919906));
  CHECK(activate(1, Activation::kGeluSigmoid) == Approx(0.8457957659));
}

TEST_CASE("gradients of gated activation functions agree with central differences") {
  for (const auto activation :
       {Activation::kRelu, Activation::kGelu, Activation::kSwish, Activation::kSigmoid,
        Activation::kTanh, Activation::kGeluTanh, Activation::kGeluSigmoid}) {
    CAPTURE(static_cast<int>(activation));
    base::Random random(31);
    Matrix z = random_matrix(5, 7, random), x = random_matrix(5, 7, random);
    // Central differences are wrong across the kink of the ReLU.
    for (const double value : z.values) REQUIRE(std::abs(value) > 1e-3);
    const Matrix weights = random_matrix(5, 7, random);
    const auto loss = [&] { return weighted_sum(weights, gated_activation(z, x, activation)); };
    const auto gradient = gated_activation_backward(z, x, weights, activation);
    check_gradient(z.values, gradient.dz.values, loss);
    check_gradient(x.values, gradient.dx.values, loss);
  }
}

}  // namespace awend::reference
