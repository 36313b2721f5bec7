// Maxout units on the device compared with the reference, forward and backward.
#include "tests/reference/maxout.hpp"

#include "nn/operations.hpp"
#include "tests/kernels/bench.hpp"

namespace awend::tests {
namespace {

/// How many maxout layers read the same tensor, whose gradients are added.
enum class Uses { kOne, kTwo };

void check(std::size_t rows, std::size_t columns, Uses uses) {
  CAPTURE(rows, columns);
  Matrix z = noise(rows, 2 * columns, 1);
  // Equal inputs, of which the first has the gradient.
  z.values[1] = z.values[0];
  const Matrix dy = noise(rows, columns, 2);
  Bench bench;
  bench.allocate();
  const auto count = bench.program.count(static_cast<std::uint32_t>(rows + 3));
  bench.set_rows(count, rows);
  const auto input = bench.given(count, z);
  const auto made = nn::maxout(bench.graph, input);
  const auto y = bench.observe(made);
  bench.seed_gradient(made, dy);
  if (uses == Uses::kTwo) bench.seed_gradient(nn::maxout(bench.graph, input), dy);
  bench.graph.derive_backward();
  const auto dz = bench.observe_gradient(input);
  bench.run();
  require_close(bench.read(y, rows), reference::maxout(z));
  Matrix expected = reference::maxout_backward(z, dy);
  if (uses == Uses::kTwo) {
    for (double& value : expected.values) value *= 2;
  }
  require_close(bench.read(dz, rows), expected);
}

}  // namespace

TEST_CASE("maxout units equal the reference, forward and backward") {
  for (const auto uses : {Uses::kOne, Uses::kTwo}) {
    check(1, 4, uses);
    check(37, 52, uses);
    check(130, 8, uses);
  }
}

}  // namespace awend::tests
