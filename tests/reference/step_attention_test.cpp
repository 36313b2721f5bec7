// Gradients of the attention of recurrent decoders compared with central differences.
#include "tests/reference/step_attention.hpp"

#include "tests/reference/gradient_check.hpp"

namespace awend::reference {

TEST_CASE("gradients of additive and dot-product attention equal central differences") {
  for (const bool additive : {true, false}) {
    base::Random random(11);
    SourceAttention attention{random_matrix(4, 3, random),
                              random_matrix(6, 3, random),
                              additive ? random_matrix(1, 3, random) : Matrix(),
                              random_matrix(6, 2, random),
                              {{0, 4}, {0, 4}, {4, 6}, {5, 6}}};
    const Matrix dcontexts = random_matrix(4, 2, random);
    const auto loss = [&] { return weighted_sum(dcontexts, attend(attention)); };
    const auto gradient = attend_backward(attention, dcontexts);
    check_gradient(attention.queries.values, gradient.queries.values, loss);
    check_gradient(attention.keys.values, gradient.keys.values, loss);
    check_gradient(attention.values.values, gradient.values.values, loss);
    if (additive) check_gradient(attention.v.values, gradient.v.values, loss);
  }
}

TEST_CASE("gradients of attention without softmax equal central differences") {
  base::Random random(13);
  SourceAttention attention{random_matrix(3, 4, random), random_matrix(5, 4, random), Matrix(),
                            random_matrix(5, 2, random), {{0, 3}, {3, 5}, {3, 3}},    true};
  const Matrix dcontexts = random_matrix(3, 2, random);
  const auto loss = [&] { return weighted_sum(dcontexts, attend(attention)); };
  const auto gradient = attend_backward(attention, dcontexts);
  check_gradient(attention.queries.values, gradient.queries.values, loss);
  check_gradient(attention.keys.values, gradient.keys.values, loss);
  check_gradient(attention.values.values, gradient.values.values, loss);
}

TEST_CASE("gradients of local attention equal central differences") {
  for (const bool predicts : {false, true}) {
    base::Random random(19);
    SourceAttention attention{random_matrix(4, 3, random),
                              random_matrix(9, 3, random),
                              Matrix(),
                              random_matrix(9, 2, random),
                              {{0, 7}, {0, 7}, {7, 9}, {2, 9}}};
    attention.window = 2;
    if (predicts) {
      attention.center_w = random_matrix(3, 5, random);
      attention.center_v = random_matrix(1, 5, random);
    } else {
      attention.centers = {0, 3, 1, 6};
    }
    const Matrix weights = attention_weights_of(attention);
    std::size_t attended = 0;
    for (const double weight : weights.values) attended += weight > 0 ? 1 : 0;
    CHECK(attended < 18);
    const Matrix dcontexts = random_matrix(4, 2, random);
    const auto loss = [&] { return weighted_sum(dcontexts, attend(attention)); };
    const auto gradient = attend_backward(attention, dcontexts);
    check_gradient(attention.queries.values, gradient.queries.values, loss);
    check_gradient(attention.keys.values, gradient.keys.values, loss);
    check_gradient(attention.values.values, gradient.values.values, loss);
    if (!predicts) continue;
    check_gradient(attention.center_w.values, gradient.center_w.values, loss);
    check_gradient(attention.center_v.values, gradient.center_v.values, loss);
  }
}

TEST_CASE("local attention has the window and the factors of its center") {
  SourceAttention attention{Matrix(1, 1), Matrix(7, 1), Matrix(), Matrix(7, 1), {{0, 7}}};
  attention.window = 2;
  attention.centers = {3};
  Matrix weights = attention_weights_of(attention);
  CHECK(weights.values == std::vector<double>{0, 0.2, 0.2, 0.2, 0.2, 0.2, 0});
  // A query of zeros predicts the middle, 3.5, which is at most 2 from 4 keys.
  attention.center_w = attention.center_v = Matrix(1, 1);
  weights = attention_weights_of(attention);
  CHECK(weights(0, 1) == 0);
  CHECK(weights(0, 2) == Approx(0.25 * std::exp(-1.5 * 1.5 / 2)));
  CHECK(weights(0, 3) == Approx(0.25 * std::exp(-0.5 * 0.5 / 2)));
}

TEST_CASE("gradients of attention with keys of zeros equal central differences") {
  base::Random random(17);
  SourceAttention attention{random_matrix(3, 4, random),
                            random_matrix(5, 4, random),
                            Matrix(),
                            random_matrix(5, 2, random),
                            {{0, 3}, {3, 5}, {3, 3}},
                            false,
                            4};
  const Matrix weights = attention_weights_of(attention);
  CHECK(weights(0, 0) + weights(0, 1) + weights(0, 2) < 1);
  const Matrix dcontexts = random_matrix(3, 2, random);
  const auto loss = [&] { return weighted_sum(dcontexts, attend(attention)); };
  const auto gradient = attend_backward(attention, dcontexts);
  check_gradient(attention.queries.values, gradient.queries.values, loss);
  check_gradient(attention.keys.values, gradient.keys.values, loss);
  check_gradient(attention.values.values, gradient.values.values, loss);
}

}  // namespace awend::reference
