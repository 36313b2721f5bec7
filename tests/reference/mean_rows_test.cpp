// The gradients of means and copies of rows compared with central differences.
#include "tests/reference/mean_rows.hpp"

#include "tests/reference/gradient_check.hpp"

namespace awend::reference {

TEST_CASE("gradients of means of rows equal central differences") {
  base::Random random(7);
  const Ranges ranges = {{3, 7}, {0, 1}, {1, 3}};
  Matrix x = random_matrix(7, 3, random);
  const Matrix dy = random_matrix(3, 3, random);
  const auto loss = [&] { return weighted_sum(dy, mean_rows(x, ranges)); };
  check_gradient(x.values, mean_rows_backward(dy, ranges, 7).values, loss);
}

TEST_CASE("gradients of copies of rows equal central differences") {
  base::Random random(8);
  const Ranges ranges = {{3, 7}, {0, 1}, {1, 3}};
  Matrix x = random_matrix(3, 3, random);
  const Matrix dy = random_matrix(7, 3, random);
  const auto loss = [&] { return weighted_sum(dy, repeat_rows(x, ranges, 7)); };
  check_gradient(x.values, repeat_rows_backward(dy, ranges).values, loss);
}

}  // namespace awend::reference
