// Activation functions on the device compared with the reference.
#include "tests/reference/activation.hpp"

#include "tests/kernels/bench.hpp"
#include "tests/reference/gated_activation.hpp"

namespace awend::tests {
namespace {

void check(nn::Activation activation, std::size_t rows, std::size_t columns) {
  CAPTURE(rows, columns, nn::name_of(activation));
  Matrix z = noise(rows, columns, 1);
  // Also large values, for which exp may overflow.
  for (std::size_t i = 0; i < z.values.size(); ++i) z.values[i] *= i % 5 == 0 ? 40 : 3;
  z.values[0] = 0;
  const Matrix dy = noise(rows, columns, 2);
  Bench bench;
  bench.allocate();
  const auto count = bench.program.count(static_cast<std::uint32_t>(rows + 3));
  bench.set_rows(count, rows);
  const auto input = bench.given(count, z);
  const auto y = nn::activate(bench.graph, input, activation);
  const auto output = bench.observe(y);
  bench.seed_gradient(y, dy);
  bench.graph.derive_backward();
  const auto dz = bench.observe_gradient(input);
  bench.run();
  require_close(bench.read(output, rows), reference::activate(z, activation));
  require_close(bench.read(dz, rows), reference::activate_backward(z, dy, activation));
}

void check_gate(nn::Activation activation, std::size_t rows, std::size_t columns) {
  CAPTURE(rows, columns, nn::name_of(activation));
  Matrix z = noise(rows, columns, 1);
  for (std::size_t i = 0; i < z.values.size(); ++i) z.values[i] *= i % 5 == 0 ? 40 : 3;
  const Matrix x = noise(rows, columns, 3), dy = noise(rows, columns, 2);
  Bench bench;
  bench.allocate();
  const auto count = bench.program.count(static_cast<std::uint32_t>(rows + 3));
  bench.set_rows(count, rows);
  const auto zt = bench.given(count, z), xt = bench.given(count, x);
  const auto y = nn::gated_activation(bench.graph, zt, xt, activation);
  const auto output = bench.observe(y);
  bench.seed_gradient(y, dy);
  bench.graph.derive_backward();
  const auto dz = bench.observe_gradient(zt), dx = bench.observe_gradient(xt);
  bench.run();
  const auto gradient = reference::gated_activation_backward(z, x, dy, activation);
  require_close(bench.read(output, rows), reference::gated_activation(z, x, activation));
  require_close(bench.read(dz, rows), gradient.dz);
  require_close(bench.read(dx, rows), gradient.dx);
}

}  // namespace

TEST_CASE("activation functions equal the reference, forward and backward") {
  for (const auto& [rows, columns] :
       {std::pair<std::size_t, std::size_t>{1, 4}, {37, 52}, {130, 8}}) {
    for (const auto activation :
         {nn::Activation::kGelu, nn::Activation::kSwish, nn::Activation::kSigmoid,
          nn::Activation::kTanh, nn::Activation::kGeluTanh, nn::Activation::kGeluSigmoid})
      check(activation, rows, columns);
  }
}

TEST_CASE("gated activation functions equal the reference, forward and backward") {
  for (const auto& [rows, columns] :
       {std::pair<std::size_t, std::size_t>{1, 4}, {37, 52}, {130, 8}}) {
    for (const auto activation :
         {nn::Activation::kRelu, nn::Activation::kGelu, nn::Activation::kSwish,
          nn::Activation::kSigmoid, nn::Activation::kGeluTanh, nn::Activation::kGeluSigmoid})
      check_gate(activation, rows, columns);
  }
}

TEST_CASE("a second use of a tensor adds its gradient of an activation") {
  const Matrix z = noise(5, 12, 1), dy = noise(5, 12, 2);
  Bench bench;
  bench.allocate();
  const auto count = bench.program.count(8);
  bench.set_rows(count, z.rows);
  const auto input = bench.given(count, z);
  const auto first = nn::activate(bench.graph, input, nn::Activation::kSigmoid);
  const auto second = nn::activate(bench.graph, input, nn::Activation::kTanh);
  bench.seed_gradient(first, dy);
  bench.seed_gradient(second, dy);
  bench.graph.derive_backward();
  const auto dz = bench.observe_gradient(input);
  bench.run();
  Matrix expected = reference::activate_backward(z, dy, nn::Activation::kSigmoid);
  const Matrix other = reference::activate_backward(z, dy, nn::Activation::kTanh);
  for (std::size_t i = 0; i < other.values.size(); ++i) expected.values[i] += other.values[i];
  require_close(bench.read(dz, z.rows), expected);
}

}  // namespace awend::tests
