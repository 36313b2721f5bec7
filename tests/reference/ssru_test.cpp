// Gradients of simpler simple recurrent units compared with central differences.
#include "tests/reference/ssru.hpp"

#include "tests/reference/gradient_check.hpp"

namespace awend::reference {

TEST_CASE("gradients of simpler simple recurrent units equal central differences") {
  base::Random random(7);
  Ssru unit{{0, 3, 4, 9}, random_matrix(9, 5, random), random_matrix(9, 5, random), Matrix()};
  const Matrix dy = random_matrix(9, 5, random);
  const auto loss = [&] { return weighted_sum(dy, ssru(unit).outputs); };
  for (const bool has_initial : {false, true}) {
    if (has_initial) unit.initial = random_matrix(3, 5, random);
    const auto gradient = ssru_backward(unit, ssru(unit), dy);
    check_gradient(unit.candidate.values, gradient.candidate.values, loss);
    check_gradient(unit.forget.values, gradient.forget.values, loss);
  }
}

}  // namespace awend::reference
