// The linear layer on the device compared with the reference: all three forms of the matrix
// product, at odd sizes.
#include "nn/matmul/matmul.hpp"
#include "tests/kernels/bench.hpp"
#include "tests/reference/matmul.hpp"

namespace awend::tests {
namespace {

struct Case {
  std::size_t rows, capacity, inner, columns;
  bool relu, bias;
  nn::Element precision = nn::Element::kFloat32;
};

void check_linear(const Case& c) {
  CAPTURE(c.rows, c.inner, c.columns, nn::name_of(c.precision));
  const Matrix x = noise(c.rows, c.inner, 1), w = noise(c.inner, c.columns, 2),
               b = noise(1, c.columns, 3);
  const Matrix dy = noise(c.rows, c.columns, 4);
  Bench bench;
  const auto weight = bench.parameter(c.inner, c.columns);
  const auto bias = bench.parameter(1, c.columns);
  bench.allocate(c.precision);
  bench.set(weight, w);
  bench.set(bias, b);
  const auto rows = bench.program.count(static_cast<std::uint32_t>(c.capacity));
  bench.set_rows(rows, c.rows);
  const auto input = bench.given(rows, x);
  const auto y = nn::linear(bench.graph, input, weight, c.bias ? std::optional(bias) : std::nullopt,
                            c.relu ? nn::Activation::kRelu : nn::Activation::kNone);
  const auto output = bench.observe(y);
  bench.seed_gradient(y, dy);
  bench.graph.derive_backward();
  const auto dx = bench.observe_gradient(input);
  bench.run();

  const auto activation = c.relu ? reference::Activation::kRelu : reference::Activation::kNone;
  // Operands of products are rounded; sums, including that of the gradient of the bias, are fp32.
  const Matrix x_seen = rounded(x, c.precision), w_seen = rounded(w, c.precision);
  const Matrix expected = reference::linear(x_seen, w_seen, c.bias ? b : Matrix(), activation);
  const auto gradient =
      reference::linear_backward(x_seen, w_seen, expected, rounded(dy, c.precision), activation);
  require_close(bench.read(output, c.rows), expected);
  require_close(bench.read(dx, c.rows), gradient.dx);
  require_close(bench.gradient_of(weight), gradient.dw);
  if (!c.bias) return;
  require_close(bench.gradient_of(bias),
                reference::linear_backward(x_seen, w_seen, expected, dy, activation).db);
}

}  // namespace

TEST_CASE("a linear layer and its gradients equal the reference", "[matmul]") {
  check_linear({.rows = 1, .capacity = 1, .inner = 4, .columns = 4, .relu = false, .bias = false});
  check_linear(
      {.rows = 37, .capacity = 100, .inner = 36, .columns = 52, .relu = true, .bias = true});
  check_linear(
      {.rows = 100, .capacity = 100, .inner = 132, .columns = 20, .relu = false, .bias = true});
  check_linear(
      {.rows = 200, .capacity = 300, .inner = 64, .columns = 64, .relu = true, .bias = true});
  check_linear({.rows = 7, .capacity = 40, .inner = 68, .columns = 36, .relu = true, .bias = true});
  check_linear(
      {.rows = 333, .capacity = 400, .inner = 520, .columns = 260, .relu = true, .bias = true});
  // Gradients of weights are summed in parts; the last one here is empty.
  check_linear(
      {.rows = 1024, .capacity = 1100, .inner = 20, .columns = 12, .relu = true, .bias = true});
  check_linear(
      {.rows = 515, .capacity = 515, .inner = 12, .columns = 20, .relu = false, .bias = false});
}

TEST_CASE("a linear layer of 16-bit operands sums in fp32", "[matmul]") {
  for (const auto precision : {nn::Element::kBfloat16, nn::Element::kFloat16}) {
    if (!engine().computes(precision)) continue;
    check_linear({.rows = 1,
                  .capacity = 3,
                  .inner = 4,
                  .columns = 4,
                  .relu = false,
                  .bias = false,
                  .precision = precision});
    check_linear({.rows = 133,
                  .capacity = 140,
                  .inner = 136,
                  .columns = 72,
                  .relu = true,
                  .bias = true,
                  .precision = precision});
    check_linear({.rows = 7,
                  .capacity = 40,
                  .inner = 68,
                  .columns = 36,
                  .relu = true,
                  .bias = true,
                  .precision = precision});
  }
}

TEST_CASE("a second linear layer on one input adds its gradient", "[matmul]") {
  const Matrix x = noise(70, 12, 1), w1 = noise(12, 8, 2), w2 = noise(12, 8, 3),
               dy = noise(70, 8, 4);
  Bench bench;
  const auto first = bench.parameter(12, 8);
  const auto second = bench.parameter(12, 8);
  bench.allocate();
  bench.set(first, w1);
  bench.set(second, w2);
  const auto rows = bench.program.count(70);
  bench.set_rows(rows, 70);
  const auto input = bench.given(rows, x);
  const auto y1 = nn::linear(bench.graph, input, first);
  const auto y2 = nn::linear(bench.graph, input, second);
  bench.seed_gradient(y1, dy);
  bench.seed_gradient(y2, dy);
  bench.graph.derive_backward();
  const auto dx = bench.observe_gradient(input);
  bench.run();
  Matrix expected = reference::product(dy, reference::transpose(w1));
  const Matrix other = reference::product(dy, reference::transpose(w2));
  for (std::size_t i = 0; i < expected.values.size(); ++i) expected.values[i] += other.values[i];
  require_close(bench.read(dx, 70), expected);
}

TEST_CASE("a batch beyond the capacity is refused") {
  Bench bench;
  const auto rows = bench.program.count(8);
  REQUIRE_THROWS_AS(bench.program.set(rows, 9), base::Error);
}

}  // namespace awend::tests
