// The gradient of the loss of spans compared with central differences, and the loss by definition.
#include "tests/reference/span_loss.hpp"

#include "tests/reference/gradient_check.hpp"

namespace awend::reference {

TEST_CASE("the gradient of the loss of spans agrees with central differences") {
  base::Random random(11);
  const Ranges ranges = {{0, 4}, {4, 5}, {5, 9}};
  const Spans spans = {{1, 3}, {4, 4}, {6, 6}};
  Matrix logits = random_matrix(9, 2, random);
  const auto loss = [&] { return 0.25 * span_loss(logits, ranges, spans, 1).loss; };
  check_gradient(logits.values, span_loss(logits, ranges, spans, 0.25).dlogits.values, loss);
}

TEST_CASE("the loss of equal logits is twice the logarithm of the number of rows") {
  const auto result = span_loss(Matrix(7, 2), {{0, 5}, {5, 7}}, {{0, 4}, {6, 6}}, 1);
  CHECK(result.loss == Approx(2 * (std::log(5.0) + std::log(2.0))));
}

}  // namespace awend::reference
