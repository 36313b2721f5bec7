// Gradients of recurrent layers compared with central differences.
#include "tests/reference/recurrent.hpp"

#include "tests/reference/gradient_check.hpp"

namespace awend::reference {
namespace {

void check(Cell cell, Direction direction) {
  const std::size_t d = 3, gates = cell == Cell::kLstm ? 4 : 3;
  base::Random random(7);
  Recurrence layer{cell,
                   direction,
                   {0, 3, 4, 8},
                   random_matrix(8, gates * d, random),
                   random_matrix(d, gates * d, random),
                   random_matrix(1, gates * d, random),
                   random_matrix(3, d, random),
                   cell == Cell::kLstm ? random_matrix(3, d, random) : Matrix()};
  const Matrix dy = random_matrix(8, d, random), dh = random_matrix(3, d, random);
  const Matrix dc = cell == Cell::kLstm ? random_matrix(3, d, random) : Matrix();
  const auto loss = [&] {
    const auto result = recurrent(layer);
    return weighted_sum(dy, result.outputs) + weighted_sum(dh, result.h) +
           weighted_sum(dc, result.c);
  };
  const auto gradient = recurrent_backward(layer, recurrent(layer), dy, dh, dc);
  check_gradient(layer.inputs.values, gradient.inputs.values, loss);
  check_gradient(layer.hidden.values, gradient.hidden.values, loss);
  check_gradient(layer.bias.values, gradient.bias.values, loss);
  check_gradient(layer.h.values, gradient.h.values, loss);
  if (cell == Cell::kLstm) check_gradient(layer.c.values, gradient.c.values, loss);
}

}  // namespace

TEST_CASE("gradients of recurrent layers equal central differences") {
  for (const auto direction : {Direction::kForward, Direction::kReverse}) {
    check(Cell::kLstm, direction);
    check(Cell::kGru, direction);
  }
}

}  // namespace awend::reference
