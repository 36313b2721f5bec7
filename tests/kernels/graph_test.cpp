// The tape and the gradients that it accumulates: which rules run and in what order, which rule
// writes a gradient and which ones add to it, and what gets no gradient.
#include "nn/graph.hpp"

#include "tests/kernels/bench.hpp"
#include "tests/reference/matmul.hpp"
#include "tests/scratch.hpp"

namespace awend::tests {
namespace {

/// A graph over activations that are never computed.
struct Tape {
  explicit Tape(nn::Mode mode = nn::Mode::kTraining) : bench(mode) { bench.allocate(); }
  nn::Tensor tensor() { return bench.program.activation(bench.program.fixed(3), 8); }

  Bench bench;
  nn::Graph& graph = bench.graph;
};

Matrix sum(Matrix a, const Matrix& b) {
  for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] += b.values[i];
  return a;
}

}  // namespace

TEST_CASE("gradient rules run once, the last one first", "[graph]") {
  Tape tape;
  std::vector<int> order;
  for (int i = 0; i < 3; ++i) tape.graph.tape([&order, i] { order.push_back(i); });
  CHECK(order.empty());
  tape.graph.derive_backward();
  CHECK(order == std::vector<int>{2, 1, 0});
  tape.graph.derive_backward();
  CHECK(order.size() == 3);
}

TEST_CASE("the first rule writes a gradient, later ones add to it", "[graph]") {
  Tape tape;
  const nn::Tensor x = tape.tensor(), other = tape.tensor();
  CHECK_FALSE(tape.graph.gradient(x).has_value());
  const nn::GradientTarget first = tape.graph.gradient_target(x);
  CHECK_FALSE(first.adds);
  CHECK(first.tensor.id != x.id);
  CHECK(first.tensor.columns == x.columns);
  CHECK(first.tensor.rows.word == x.rows.word);
  for (int i = 0; i < 2; ++i) {
    const nn::GradientTarget later = tape.graph.gradient_target(x);
    CHECK(later.adds);
    CHECK(later.tensor.id == first.tensor.id);
  }
  CHECK(tape.graph.gradient(x).value().id == first.tensor.id);
  // A gradient belongs to its tensor only.
  CHECK_FALSE(tape.graph.gradient(other).has_value());
  CHECK_FALSE(tape.graph.gradient_target(other).adds);
}

TEST_CASE("a part of a tensor has no gradient of its own", "[graph]") {
  Tape tape;
  const nn::Tensor x = tape.tensor();
  const nn::Tensor part = x.from_row(1, tape.bench.program.fixed(2));
  CHECK_THROWS_AS(tape.graph.gradient_target(part), std::logic_error);
  CHECK_THROWS_AS(tape.graph.operand(part), std::logic_error);
}

TEST_CASE("a backward pass starts at the seeded gradient, which later rules add to", "[graph]") {
  Tape tape;
  const nn::Tensor y = tape.tensor(), dy = tape.tensor(), used = tape.tensor();
  const nn::Tensor narrow = tape.bench.program.activation(y.rows, 4);
  CHECK_THROWS_AS(tape.graph.seed_gradient(y, narrow), std::logic_error);
  tape.graph.seed_gradient(y, dy);
  CHECK(tape.graph.gradient(y).value().id == dy.id);
  CHECK(tape.graph.gradient_target(y).adds);
  CHECK(tape.graph.gradient_target(y).tensor.id == dy.id);
  CHECK_THROWS_AS(tape.graph.seed_gradient(y, dy), std::logic_error);
  tape.graph.gradient_target(used);
  CHECK_THROWS_AS(tape.graph.seed_gradient(used, dy), std::logic_error);
}

TEST_CASE("a tensor used by several operations has the sum of their gradients", "[graph]") {
  // y = x + (x + a): the gradient of x is 2 dy, that of a is dy.  What no rule has written is NaN.
  const Matrix x = noise(5, 8, 1), a = noise(5, 8, 2), dy = noise(5, 8, 3);
  Bench bench;
  bench.allocate();
  const auto rows = bench.program.fixed(5);
  const auto x_input = bench.given(rows, x), a_input = bench.given(rows, a);
  const auto inner = nn::residual(bench.graph, x_input, a_input, 0);
  const auto y = nn::residual(bench.graph, x_input, inner, 0);
  bench.seed_gradient(y, dy);
  bench.graph.derive_backward();
  const auto dx = bench.observe_gradient(x_input), da = bench.observe_gradient(a_input);
  bench.run();
  require_close(bench.read(dx, 5), sum(dy, dy));
  require_close(bench.read(da, 5), dy);
}

TEST_CASE("a parameter used twice has the sum of both gradients", "[graph]") {
  const Matrix x = noise(5, 8, 1), w = noise(8, 8, 2), dy = noise(5, 8, 3);
  Bench bench;
  const auto weight = bench.parameter(8, 8);
  bench.allocate();
  bench.set(weight, w);
  const auto input = bench.given(bench.program.fixed(5), x);
  const auto hidden = nn::linear(bench.graph, input, weight);
  const auto y = nn::linear(bench.graph, hidden, weight);
  bench.seed_gradient(y, dy);
  bench.graph.derive_backward();
  const auto dx = bench.observe_gradient(input);
  bench.run();

  const Matrix between = reference::linear(x, w, Matrix(), reference::Activation::kNone);
  const Matrix out = reference::linear(between, w, Matrix(), reference::Activation::kNone);
  const auto second = reference::linear_backward(between, w, out, dy, reference::Activation::kNone);
  const auto first =
      reference::linear_backward(x, w, between, second.dx, reference::Activation::kNone);
  require_close(bench.gradient_of(weight), sum(first.dw, second.dw));
  require_close(bench.read(dx, 5), first.dx);
}

TEST_CASE("a parameter is one tensor per program, its gradient another", "[graph]") {
  Bench bench;
  const auto weight = bench.parameter(8, 8), other = bench.parameter(8, 8);
  bench.allocate();
  nn::Graph& graph = bench.graph;
  CHECK(graph.value(weight).id == graph.value(weight).id);
  CHECK(graph.operand(weight).id == graph.value(weight).id);
  CHECK(graph.parameter_gradient(weight).id == graph.parameter_gradient(weight).id);
  CHECK(graph.value(weight).id != graph.value(other).id);
  CHECK(graph.parameter_gradient(weight).id != graph.parameter_gradient(other).id);
  CHECK(graph.parameter_gradient(weight).id != graph.value(weight).id);
}

TEST_CASE("an operation whose result is not used has no gradient and no backward launch",
          "[graph]") {
  Bench bench;
  const auto weight = bench.parameter(8, 8);
  bench.allocate();
  const auto rows = bench.program.fixed(3);
  const auto used = bench.program.activation(rows, 8), unused = bench.program.activation(rows, 8);
  const auto y = nn::linear(bench.graph, used, weight);
  nn::linear(bench.graph, unused, weight);
  nn::residual(bench.graph, unused, unused, 0);
  bench.graph.seed_gradient(y, bench.program.input(rows, 8));
  const std::size_t forward = bench.program.launches();
  bench.graph.derive_backward();
  CHECK_FALSE(bench.graph.gradient(unused).has_value());
  CHECK(bench.graph.gradient(used).has_value());
  // Only the gradients of `used` and of the weight: one product each, the latter perhaps in parts.
  const std::size_t with_unused = bench.program.launches() - forward;

  Bench without_unused;
  const auto same_weight = without_unused.parameter(8, 8);
  without_unused.allocate();
  const auto same_rows = without_unused.program.fixed(3);
  const auto x = without_unused.program.activation(same_rows, 8);
  const auto same_y = nn::linear(without_unused.graph, x, same_weight);
  without_unused.graph.seed_gradient(same_y, without_unused.program.input(same_rows, 8));
  const std::size_t forward_launches = without_unused.program.launches();
  without_unused.graph.derive_backward();
  REQUIRE(without_unused.program.launches() > forward_launches);
  CHECK(with_unused == without_unused.program.launches() - forward_launches);
}

TEST_CASE("inference records no rule and launches nothing backward", "[graph]") {
  Bench bench(nn::Mode::kInference);
  const auto weight = bench.parameter(8, 8);
  bench.allocate();
  const auto rows = bench.program.fixed(3);
  const auto x = bench.program.activation(rows, 8);
  const auto y = nn::linear(bench.graph, x, weight);
  bool ran = false;
  bench.graph.tape([&ran] { ran = true; });
  bench.graph.seed_gradient(y, bench.program.input(rows, 8));
  const std::size_t forward = bench.program.launches();
  bench.graph.derive_backward();
  CHECK_FALSE(bench.graph.training());
  CHECK_FALSE(ran);
  CHECK(bench.program.launches() == forward);
  CHECK_FALSE(bench.graph.gradient(x).has_value());
}

TEST_CASE("a frozen parameter passes gradients on and gets none", "[graph]") {
  const Matrix x = noise(5, 8, 1), w = noise(8, 8, 2), dy = noise(5, 8, 3);
  Bench bench;
  const auto frozen = bench.parameter(8, 8), trained = bench.parameter(8, 8);
  bench.parameters.freeze(frozen.index);
  bench.allocate();
  bench.set(frozen, w);
  bench.set(trained, w);
  CHECK_FALSE(bench.graph.trains(frozen));
  CHECK(bench.graph.trains(trained));
  const auto input = bench.given(bench.program.fixed(5), x);
  const auto y = nn::linear(bench.graph, nn::linear(bench.graph, input, trained), frozen);
  bench.seed_gradient(y, dy);
  bench.graph.derive_backward();
  bench.run();

  const Matrix hidden = reference::linear(x, w, Matrix(), reference::Activation::kNone);
  const Matrix out = reference::linear(hidden, w, Matrix(), reference::Activation::kNone);
  const Matrix dhidden =
      reference::linear_backward(hidden, w, out, dy, reference::Activation::kNone).dx;
  require_close(bench.gradient_of(frozen), Matrix(8, 8));
  require_close(bench.gradient_of(trained),
                reference::linear_backward(x, w, hidden, dhidden, reference::Activation::kNone).dw);
}

TEST_CASE("16-bit operands are made once, of gradients each time", "[graph][vulkan]") {
  Bench bench;
  const auto weight = bench.parameter(8, 8);
  bench.allocate(nn::Element::kFloat16);
  nn::Graph& graph = bench.graph;
  const auto x = bench.program.activation(bench.program.fixed(3), 8);
  const auto operand = graph.operand(x);
  CHECK(operand.element == nn::Element::kFloat16);
  CHECK(operand.id != x.id);
  CHECK(bench.program.launches() == 1);
  CHECK(graph.operand(x).id == operand.id);
  CHECK(bench.program.launches() == 1);
  CHECK(graph.narrowed(x).id != graph.narrowed(x).id);
  CHECK(bench.program.launches() == 3);
  // Parameters keeps that of a parameter: no launch.
  CHECK(graph.operand(weight).element == nn::Element::kFloat16);
  CHECK(graph.operand(weight).id == graph.operand(weight).id);
  CHECK(graph.value(weight).element == nn::Element::kFloat32);
  CHECK(bench.program.launches() == 3);
}

TEST_CASE("fp32 operands are the tensors themselves", "[graph]") {
  Tape tape;
  const nn::Tensor x = tape.tensor();
  CHECK(tape.graph.operand(x).id == x.id);
  CHECK(tape.graph.narrowed(x).id == x.id);
  CHECK(tape.bench.program.launches() == 0);
}

TEST_CASE("a graph has one tensor of step scalars, and a number for each use of dropout",
          "[graph]") {
  Tape tape;
  CHECK(tape.graph.step_scalars().id == tape.graph.step_scalars().id);
  const std::uint32_t first = tape.graph.next_dropout_id();
  CHECK(tape.graph.next_dropout_id() != first);
}

}  // namespace awend::tests
