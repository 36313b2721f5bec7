// Layer and RMS normalization, residual connection and dropout on the device compared with the
// reference.
#include "tests/kernels/bench.hpp"
#include "tests/reference/dropout.hpp"
#include "tests/reference/layer_norm.hpp"
#include "tests/reference/rms_norm.hpp"

namespace awend::tests {
namespace {

struct NormCase {
  std::size_t rows, capacity, columns;
  double epsilon = 1e-6;
  double mean = 100;  // far from zero, where E[x²] − E[x]² loses precision
};

void check_layer_norm(const NormCase& c) {
  const auto [rows, capacity, columns, epsilon, mean] = c;
  CAPTURE(rows, columns, epsilon);
  Matrix x = noise(rows, columns, 1);
  for (double& value : x.values) value += mean;
  const Matrix gain = noise(1, columns, 2), bias = noise(1, columns, 3),
               dy = noise(rows, columns, 4);
  Bench bench;
  const auto g = bench.parameter(1, columns);
  const auto b = bench.parameter(1, columns);
  bench.allocate();
  bench.set(g, gain);
  bench.set(b, bias);
  const auto count = bench.program.count(static_cast<std::uint32_t>(capacity));
  bench.set_rows(count, rows);
  const auto input = bench.given(count, x);
  const auto y = nn::layer_norm(bench.graph, input, {.gain = g, .bias = b, .epsilon = epsilon});
  const auto output = bench.observe(y);
  bench.seed_gradient(y, dy);
  bench.graph.derive_backward();
  const auto dx = bench.observe_gradient(input);
  bench.run();
  const auto gradient = reference::layer_norm_backward(x, gain, dy, epsilon);
  // Inputs near 100 leave about 17 bits for the differences.
  constexpr double kShifted = 1e-3;
  require_close(bench.read(output, rows), reference::layer_norm(x, gain, bias, epsilon), kShifted);
  require_close(bench.read(dx, rows), gradient.dx, kShifted);
  require_close(bench.gradient_of(g), gradient.dgain, kShifted);
  require_close(bench.gradient_of(b), gradient.dbias);
}

void check_rms_norm(const NormCase& c) {
  const auto [rows, capacity, columns, epsilon, mean] = c;
  CAPTURE(rows, columns, epsilon);
  Matrix x = noise(rows, columns, 1);
  for (double& value : x.values) value += mean;
  const Matrix gain = noise(1, columns, 2), dy = noise(rows, columns, 4);
  Bench bench;
  const auto g = bench.parameter(1, columns);
  bench.allocate();
  bench.set(g, gain);
  const auto count = bench.program.count(static_cast<std::uint32_t>(capacity));
  bench.set_rows(count, rows);
  const auto input = bench.given(count, x);
  const auto y = nn::rms_norm(bench.graph, input, g, epsilon);
  const auto output = bench.observe(y);
  bench.seed_gradient(y, dy);
  bench.graph.derive_backward();
  const auto dx = bench.observe_gradient(input);
  bench.run();
  const auto gradient = reference::rms_norm_backward(x, gain, dy, epsilon);
  require_close(bench.read(output, rows), reference::rms_norm(x, gain, epsilon));
  require_close(bench.read(dx, rows), gradient.dx);
  require_close(bench.gradient_of(g), gradient.dgain);
}

void check_residual(std::size_t rows, std::size_t columns, double probability) {
  CAPTURE(rows, columns, probability);
  const Matrix x = noise(rows, columns, 1), a = noise(rows, columns, 2),
               dy = noise(rows, columns, 3);
  Bench bench;
  const auto count = bench.program.count(static_cast<std::uint32_t>(rows + 3));
  bench.set_rows(count, rows);
  const auto x_input = bench.given(count, x);
  const auto a_input = bench.given(count, a);
  const auto y = nn::residual(bench.graph, x_input, a_input, probability);
  const auto output = bench.observe(y);
  bench.seed_gradient(y, dy);
  bench.graph.derive_backward();
  const auto dx = bench.observe_gradient(x_input);
  const auto da = bench.observe_gradient(a_input);
  bench.run();
  const auto& scalars = bench.scalars();
  const auto mask =
      reference::philox_dropout({.probability = probability,
                                 .seed = scalars.seed_low | std::uint64_t{scalars.seed_high} << 32,
                                 .dropout_id = 1,
                                 .step = scalars.step});
  const auto gradient = reference::residual_backward(dy, mask);
  require_close(bench.read(output, rows), reference::residual(x, a, mask));
  require_close(bench.read(dx, rows), gradient.dx);
  require_close(bench.read(da, rows), gradient.da);
}

}  // namespace

TEST_CASE("layer normalization and its gradients equal the reference") {
  check_layer_norm({1, 1, 4});
  check_layer_norm({13, 20, 36});
  check_layer_norm({150, 150, 128});
  check_layer_norm({13, 20, 516});
  check_layer_norm({13, 20, 36, 0.5, 0});  // an epsilon that changes all results
}

TEST_CASE("RMS normalization and its gradients equal the reference") {
  for (const double mean : {0.0, 2.0}) {
    check_rms_norm({1, 1, 4, 1e-6, mean});
    check_rms_norm({13, 20, 36, 1e-6, mean});
    check_rms_norm({150, 150, 128, 1e-6, mean});
    check_rms_norm({13, 20, 516, 1e-6, mean});
    check_rms_norm({13, 20, 36, 0.5, mean});  // an epsilon that changes all results
  }
}

TEST_CASE("residual connection and dropout equal the reference, with the same masks") {
  check_residual(1, 4, 0.5);
  check_residual(11, 36, 0.3);
  check_residual(130, 64, 0.0);
}

TEST_CASE("a factor multiplies a tensor and its gradient") {
  const Matrix a = noise(11, 36, 2), dy = noise(11, 36, 3);
  Bench bench;
  const auto count = bench.program.count(14);
  bench.set_rows(count, a.rows);
  const auto input = bench.given(count, a);
  const auto y = nn::scaled(bench.graph, input, 2.5);
  const auto output = bench.observe(y);
  bench.seed_gradient(y, dy);
  bench.graph.derive_backward();
  const auto da = bench.observe_gradient(input);
  bench.run();
  const auto times = [](Matrix matrix) {
    for (double& value : matrix.values) value *= 2.5;
    return matrix;
  };
  require_close(bench.read(output, a.rows), times(a));
  require_close(bench.read(da, a.rows), times(dy));
}

TEST_CASE("there is no dropout in inference") {
  const Matrix x = noise(5, 8, 1), a = noise(5, 8, 2);
  Bench bench(nn::Mode::kInference);
  const auto count = bench.program.count(5);
  bench.set_rows(count, 5);
  const auto output =
      bench.observe(nn::residual(bench.graph, bench.given(count, x), bench.given(count, a), 0.5));
  bench.run();
  require_close(bench.read(output, 5), reference::residual(x, a, reference::no_dropout()));
}

}  // namespace awend::tests
