// The smooth activations on the device against their definitions.
#include "tests/reference/activation.hpp"

#include "tests/kernels/bench.hpp"

namespace awend::tests {
namespace {

void check(nn::Activation activation, reference::Activation expected_activation, std::size_t rows,
           std::size_t columns) {
  CAPTURE(rows, columns, static_cast<int>(activation));
  Matrix z = noise(rows, columns, 1);
  // From far below to far above, where exp may overflow.
  for (std::size_t i = 0; i < z.values.size(); ++i) z.values[i] *= i % 5 == 0 ? 40 : 3;
  z.values[0] = 0;
  const Matrix dy = noise(rows, columns, 2);
  Bench bench;
  bench.allocate();
  const auto count = bench.program.count(static_cast<std::uint32_t>(rows + 3));
  bench.set_rows(count, rows);
  const auto input = bench.given(count, z);
  const auto y = nn::activate(bench.graph, input, activation);
  const auto seen = bench.observe(y);
  bench.seed_gradient(y, dy);
  bench.graph.derive_backward();
  const auto dz = bench.observe_gradient(input);
  bench.run();
  require_close(bench.read(seen, rows), reference::activate(z, expected_activation));
  require_close(bench.read(dz, rows), reference::activate_backward(z, dy, expected_activation));
}

}  // namespace

TEST_CASE("GELU and swish equal the reference, forward and backward") {
  for (const auto& [rows, columns] :
       {std::pair<std::size_t, std::size_t>{1, 4}, {37, 52}, {130, 8}}) {
    check(nn::Activation::kGelu, reference::Activation::kGelu, rows, columns);
    check(nn::Activation::kSwish, reference::Activation::kSwish, rows, columns);
  }
}

}  // namespace awend::tests
