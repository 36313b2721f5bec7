// Linear maps, residual connections and normalizations of the reference: known values, and
// gradients compared with central differences.
#include <utility>

#include "tests/reference/dropout.hpp"
#include "tests/reference/gradient_check.hpp"
#include "tests/reference/layer_norm.hpp"
#include "tests/reference/matmul.hpp"
#include "tests/reference/rms_norm.hpp"

namespace awend::reference {
namespace {

Matrix filled(std::size_t rows, std::size_t columns, std::vector<double> values) {
  Matrix matrix(rows, columns);
  matrix.values = std::move(values);
  return matrix;
}

TEST_CASE("a central difference finds the derivative of a polynomial") {
  double x = 2;
  const auto cube = [&] { return x * x * x; };
  CHECK(central_difference(x, cube) == Approx(12).epsilon(1e-10));
  CHECK(x == 2);
}

TEST_CASE("a linear map has the known values of an example") {
  const Matrix x = filled(2, 3, {1, 2, 3, 4, 5, 6});
  const Matrix w = filled(3, 2, {1, -1, 0, 2, 1, -3});
  const Matrix b = filled(1, 2, {0.5, 1});
  CHECK(linear(x, w, b, Activation::kNone).values == std::vector<double>{4.5, -5, 10.5, -11});
  CHECK(linear(x, w, b, Activation::kRelu).values == std::vector<double>{4.5, 0, 10.5, 0});
  CHECK(linear(x, w, {}, Activation::kNone).values == std::vector<double>{4, -6, 10, -12});
  CHECK_THROWS_AS(product(x, x), std::logic_error);
}

void check_linear(Activation activation) {
  base::Random random(11);
  Matrix x = random_matrix(5, 7, random);
  Matrix w = random_matrix(7, 3, random);
  Matrix b = random_matrix(1, 3, random);
  const Matrix weights = random_matrix(5, 3, random);
  // Central differences are wrong across the kink of the ReLU.
  for (double value : linear(x, w, b, Activation::kNone).values) REQUIRE(std::abs(value) > 1e-3);
  const auto loss = [&] { return weighted_sum(weights, linear(x, w, b, activation)); };
  const auto gradient = linear_backward(x, w, linear(x, w, b, activation), weights, activation);
  check_gradient(x.values, gradient.dx.values, loss);
  check_gradient(w.values, gradient.dw.values, loss);
  check_gradient(b.values, gradient.db.values, loss);
}

TEST_CASE("gradients of a linear map agree with central differences") {
  check_linear(Activation::kNone);
  check_linear(Activation::kRelu);
}

TEST_CASE("the dropout mask is that of the shaders") {
  const Dropout dropout =
      philox_dropout({.probability = 0.3, .seed = 0x500000009, .dropout_id = 2, .step = 7});
  int kept = 0;
  for (std::size_t element = 0; element < 4000; ++element) {
    const auto words = base::philox({static_cast<std::uint32_t>(element / 4), 2, 7, 0}, {9, 5});
    REQUIRE(dropout.keep(element) == (words[element % 4] >= 1288490188));  // 0.3 * 2^32
    kept += dropout.keep(element) ? 1 : 0;
  }
  CHECK(kept == Approx(2800).margin(150));  // five standard deviations
  CHECK(dropout.factor(0) == (dropout.keep(0) ? 1 / 0.7 : 0));
  CHECK(no_dropout().factor(0) == 1);
}

TEST_CASE("gradients of a residual connection agree with central differences") {
  base::Random random(12);
  Matrix x = random_matrix(3, 5, random);
  Matrix a = random_matrix(3, 5, random);
  const Matrix weights = random_matrix(3, 5, random);
  const Dropout dropout =
      philox_dropout({.probability = 0.4, .seed = 3, .dropout_id = 1, .step = 1});
  const auto loss = [&] { return weighted_sum(weights, residual(x, a, dropout)); };
  const auto gradient = residual_backward(weights, dropout);
  check_gradient(x.values, gradient.dx.values, loss);
  check_gradient(a.values, gradient.da.values, loss);
  CHECK(std::count(gradient.da.values.begin(), gradient.da.values.end(), 0) > 0);
}

TEST_CASE("a normalized row has mean zero and variance one before gain and bias") {
  base::Random random(13);
  const Matrix x = random_matrix(2, 9, random);
  Matrix gain(1, 9);
  Matrix bias(1, 9);
  for (double& value : gain.values) value = 2;
  for (double& value : bias.values) value = -1;
  const Matrix y = layer_norm(x, gain, bias);
  for (std::size_t row = 0; row < 2; ++row) {
    double sum = 0;
    double squares = 0;
    for (std::size_t column = 0; column < 9; ++column) {
      const double normal = (y(row, column) + 1) / 2;
      sum += normal;
      squares += normal * normal;
    }
    CHECK(sum == Approx(0).margin(1e-12));
    CHECK(squares / 9 == Approx(1).epsilon(1e-4));  // slightly smaller because of epsilon
  }
}

TEST_CASE("a constant row is normalized to the bias") {
  const Matrix y =
      layer_norm(filled(1, 3, {5, 5, 5}), filled(1, 3, {1, 2, 3}), filled(1, 3, {4, 5, 6}));
  CHECK(y.values == std::vector<double>{4, 5, 6});
}

TEST_CASE("gradients of layer normalization agree with central differences") {
  base::Random random(14);
  Matrix x = random_matrix(3, 7, random);
  Matrix gain = random_matrix(1, 7, random);
  Matrix bias = random_matrix(1, 7, random);
  const Matrix weights = random_matrix(3, 7, random);
  const auto loss = [&] { return weighted_sum(weights, layer_norm(x, gain, bias)); };
  const auto gradient = layer_norm_backward(x, gain, weights);
  check_gradient(x.values, gradient.dx.values, loss);
  check_gradient(gain.values, gradient.dgain.values, loss);
  check_gradient(bias.values, gradient.dbias.values, loss);
}

TEST_CASE("RMS normalization has the known values of an example") {
  const Matrix x = filled(1, 2, {3, 4}), gain = filled(1, 2, {1, 2});
  const Matrix y = rms_norm(x, gain, 0);
  CHECK(y(0, 0) == Approx(3 / std::sqrt(12.5)));
  CHECK(y(0, 1) == Approx(8 / std::sqrt(12.5)));
  CHECK(rms_norm(x, gain, 3.5)(0, 0) == Approx(0.75));
}

TEST_CASE("gradients of RMS normalization agree with central differences") {
  base::Random random(14);
  Matrix x = random_matrix(4, 6, random), gain = random_matrix(1, 6, random);
  const Matrix weights = random_matrix(4, 6, random);
  for (const double epsilon : {1e-6, 0.5}) {
    const auto loss = [&] { return weighted_sum(weights, rms_norm(x, gain, epsilon)); };
    const auto gradient = rms_norm_backward(x, gain, weights, epsilon);
    check_gradient(x.values, gradient.dx.values, loss);
    check_gradient(gain.values, gradient.dgain.values, loss);
  }
}

}  // namespace
}  // namespace awend::reference
