// The gradient of maxout units compared with central differences.
#include "tests/reference/maxout.hpp"

#include "tests/reference/gradient_check.hpp"

namespace awend::reference {

TEST_CASE("gradients of maxout units equal central differences") {
  base::Random random(7);
  Matrix z = random_matrix(5, 8, random);
  const Matrix dy = random_matrix(5, 4, random);
  const auto loss = [&] { return weighted_sum(dy, maxout(z)); };
  check_gradient(z.values, maxout_backward(z, dy).values, loss);
}

TEST_CASE("a maxout unit is the larger of two neighbors") {
  Matrix z(1, 4);
  z.values = {3, -2, -7, -5};
  CHECK(maxout(z).values == std::vector<double>{3, -5});
}

}  // namespace awend::reference
