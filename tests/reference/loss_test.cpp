// Loss and optimizer of the reference: gradients compared with central differences, published
// minima and learning rates, Adam by its definition.
#include "tests/reference/loss.hpp"

#include <numeric>

#include "tests/reference/gradient_check.hpp"
#include "tests/reference/optimizer.hpp"

namespace awend::reference {
namespace {

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

void check_cross_entropy(double smoothing) {
  base::Random random(31);
  Matrix logits = random_matrix(3, 11, random);
  const std::vector<std::uint32_t> targets{4, 0, 10};
  const auto loss = [&] { return 0.25 * sum(cross_entropy(logits, targets, smoothing, 1).loss); };
  check_gradient(logits.values, cross_entropy(logits, targets, smoothing, 0.25).dlogits.values,
                 loss);
}

TEST_CASE("the gradient of the loss agrees with central differences") {
  check_cross_entropy(0);
  check_cross_entropy(0.1);
}

TEST_CASE("without smoothing the loss is the negative log-likelihood") {
  base::Random random(32);
  const Matrix logits = random_matrix(4, 9, random);
  const auto result = cross_entropy(logits, {8, 0, 3, 3}, 0, 1);
  for (std::size_t row = 0; row < 4; ++row) {
    CHECK(result.loss[row] == Approx(result.negative_log_likelihood[row]));
  }
  CHECK(result.negative_log_likelihood[0] == Approx(-log_softmax(logits)(0, 8)));
}

TEST_CASE("the loss of equal logits is the logarithm of the vocabulary size for any smoothing") {
  const auto result = cross_entropy(Matrix(1, 50), {7}, 0.1, 1);
  CHECK(result.loss[0] == Approx(std::log(50.0)));
}

TEST_CASE("the loss has its published minimum if the model predicts the smoothed targets") {
  // The minima for the smoothing of tensor2tensor, smoothing / (vocabulary - 1), with smoothing
  // 0.1.
  CHECK(smoothing_floor(100, 0.1) == Approx(0.784595).margin(5e-7));
  CHECK(smoothing_floor(1000, 0.1) == Approx(1.015758).margin(5e-7));
  CHECK(smoothing_floor(37000, 0.1) == Approx(1.376948).margin(5e-7));
  CHECK(smoothing_floor(100, 0) == 0);
  Matrix logits(1, 100);
  for (std::size_t id = 0; id < 100; ++id) {
    logits(0, id) = std::log(smoothed_target(id, 42, 100, 0.1)) + 3;
  }
  const auto result = cross_entropy(logits, {42}, 0.1, 1);
  CHECK(result.loss[0] == Approx(smoothing_floor(100, 0.1)));
  for (double element : result.dlogits.values) CHECK(element == Approx(0).margin(1e-14));
}

TEST_CASE("log-softmax of large logits does not overflow and sums to one") {
  Matrix logits(1, 3);
  logits.values = {1000, 1001, 999};
  const Matrix log_p = log_softmax(logits);
  double total = 0;
  for (double value : log_p.values) total += std::exp(value);
  CHECK(total == Approx(1));
  CHECK(log_p(0, 1) - log_p(0, 0) == Approx(1));
}

TEST_CASE("the best entries are ordered, equal ones by column") {
  Matrix row(1, 6);
  row.values = {1, 5, 2, 5, 9, 2};
  const auto best = top_k(row, 0, 4);
  REQUIRE(best.size() == 4);
  CHECK(best[0].id == 4);
  CHECK(best[1].id == 1);
  CHECK(best[2].id == 3);
  CHECK(best[3].id == 2);
  CHECK(best[3].value == 2);
  CHECK(top_k(row, 0, 100).size() == 6);
}

TEST_CASE("the learning rate has its maximum at the end of warm-up, as in the paper") {
  CHECK(learning_rate(4000, 512, 4000) == Approx(6.98771e-4).epsilon(1e-5));
  CHECK(learning_rate(4000, 1024, 4000) == Approx(4.94106e-4).epsilon(1e-5));
  CHECK(learning_rate(3999, 512, 4000) < learning_rate(4000, 512, 4000));
  CHECK(learning_rate(4001, 512, 4000) < learning_rate(4000, 512, 4000));
  CHECK(learning_rate(2000, 512, 4000) == Approx(learning_rate(4000, 512, 4000) / 2));
  CHECK(learning_rate(16000, 512, 4000) == Approx(learning_rate(4000, 512, 4000) / 2));
}

TEST_CASE("Adam equals its definition by weighted sums over all gradients") {
  base::Random random(33);
  const AdamSettings settings;
  std::vector<double> gradients;
  AdamMoments moments{{0}, {0}};
  std::vector<double> parameter{0.5};
  double expected = 0.5;
  for (std::size_t step = 1; step <= 20; ++step) {
    gradients.push_back(random.normal());
    double first = 0;
    double second = 0;
    double first_weights = 0;
    double second_weights = 0;
    for (std::size_t i = 0; i < step; ++i) {
      const auto age = static_cast<double>(step - 1 - i);
      first += std::pow(0.9, age) * gradients[i];
      second += std::pow(0.98, age) * gradients[i] * gradients[i];
      first_weights += std::pow(0.9, age);
      second_weights += std::pow(0.98, age);
    }
    expected -= 1e-2 * (first / first_weights) / (std::sqrt(second / second_weights) + 1e-9);
    adam_step(settings, step, 1e-2, {gradients.back()}, moments, parameter);
    CHECK(parameter[0] == Approx(expected).epsilon(1e-12));
  }
}

TEST_CASE("Adam does not change a parameter without gradient") {
  AdamMoments moments{{0}, {0}};
  std::vector<double> parameter{2};
  adam_step({}, 1, 1e-2, {0}, moments, parameter);
  CHECK(parameter[0] == 2);
}

TEST_CASE("clipping only scales gradients above the maximum norm") {
  CHECK(global_norm({3, 4, 12}) == Approx(13));
  CHECK(clip_factor(13, 26) == 1);
  CHECK(clip_factor(13, 6.5) == Approx(0.5));
  CHECK(clip_factor(0, 1) == 1);
}

}  // namespace
}  // namespace awend::reference
