// Fake quantization compared with the reference: the operations, and linear layers with them, whose
// gradients ignore rounding.
#include "nn/fake_quantize.hpp"

#include "nn/activation_scales.hpp"
#include "tests/kernels/bench.hpp"
#include "tests/reference/fake_quantize.hpp"
#include "tests/reference/loss.hpp"
#include "tests/reference/matmul.hpp"

namespace awend::tests {
namespace {

/// `x` with a row and a column of zeros, and rounded so that no number is near the middle of two
/// steps by `step`, where a device may divide with another rounding error.
Matrix without_ties(Matrix x, double step) {
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    const double place = x.values[i] / step - std::floor(x.values[i] / step);
    if (std::abs(place - 0.5) < 1e-3) x.values[i] += step / 8;
    if (i / x.columns == 1 || i % x.columns == 2) x.values[i] = 0;
  }
  return x;
}

Matrix ran(const Matrix& x, const std::function<nn::Tensor(nn::Program&, const nn::Tensor&)>& op) {
  Bench bench(nn::Mode::kInference);
  bench.allocate();
  const auto count = bench.program.count(static_cast<std::uint32_t>(x.rows + 3));
  bench.set_rows(count, x.rows);
  const auto y = op(bench.program, bench.given(count, x));
  const auto output = y.columns == 1 ? y : bench.observe(y);
  bench.run();
  return bench.read(output, x.rows);
}

constexpr std::pair<std::size_t, std::size_t> kShapes[] = {{1, 4}, {37, 52}, {130, 8}, {9, 516}};

}  // namespace

TEST_CASE("numbers are rounded with a fixed scale and limited") {
  constexpr float kScale = 64;
  for (const auto& [rows, columns] : kShapes) {
    CAPTURE(rows, columns);
    Matrix x = noise(rows, columns, 1);
    for (double& value : x.values) value = static_cast<float>(2 * value);
    x = without_ties(x, 1 / kScale);
    const auto y = ran(x, [&](nn::Program& program, const nn::Tensor& tensor) {
      return nn::fake_quantize(program, tensor, kScale);
    });
    CHECK(y.values == reference::fake_quantize(x, kScale).values);
    CHECK(std::ranges::max(y.values) <= 127 / kScale);
  }
}

TEST_CASE("matrices are rounded by rows and by columns") {
  for (const auto& [rows, columns] : kShapes) {
    CAPTURE(rows, columns);
    // The largest magnitude of most rows and columns is 127/64, so that their steps are exact.
    Matrix x = without_ties(noise(rows, columns, 1), 1.0 / 64);
    for (double& value : x.values) value = std::clamp(value, -1.875, 1.875);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < columns; ++column) {
        if (row != 1 && column != 2 && (row + column) % std::min(rows, columns) == 0)
          x(row, column) = (row % 2 == 0 ? 127.0 : -127.0) / 64;
      }
    }
    const auto by_rows = ran(x, nn::fake_quantize_rows);
    require_close(by_rows, reference::fake_quantize_rows(x), 1e-6);
    const auto by_columns = ran(x, nn::fake_quantize_columns);
    require_close(by_columns, reference::fake_quantize_columns(x), 1e-6);
    CHECK(ran(x, nn::row_magnitudes).values == reference::row_magnitudes(x).values);
    // What is rounded remains.
    require_close(ran(by_rows, nn::fake_quantize_rows), by_rows, 1e-6);
    require_close(ran(by_columns, nn::fake_quantize_columns), by_columns, 1e-6);
  }
}

TEST_CASE("linear layers multiply rounded operands, and gradients ignore rounding") {
  constexpr float kScale = 100;
  constexpr std::size_t kRows = 37, kInner = 24, kColumns = 20;
  const Matrix x = without_ties(noise(kRows, kInner, 1), 1 / kScale),
               w = noise(kInner, kColumns, 2), b = noise(1, kColumns, 3),
               dy = noise(kRows, kColumns, 4);
  Bench bench;
  const auto weight = bench.parameter(kInner, kColumns), bias = bench.parameter(1, kColumns);
  bench.allocate();
  bench.set(weight, w);
  bench.set(bias, b);
  nn::fix_activation_scale(bench.parameters, weight, kScale);
  bench.parameters.set_fake_quantization(nn::FakeQuantization::kOn);
  const auto rows = bench.program.count(kRows + 3);
  bench.set_rows(rows, kRows);
  const auto input = bench.given(rows, x);
  const auto y = nn::linear(bench.graph, input, weight, bias, nn::Activation::kRelu);
  const auto again = nn::linear(bench.graph, input, weight);
  const auto output = bench.observe(y), output_again = bench.observe(again);
  bench.seed_gradient(y, dy);
  bench.graph.derive_backward();
  const auto dx = bench.observe_gradient(input);
  bench.run();
  const Matrix rounded_x = reference::fake_quantize(x, kScale);
  const Matrix rounded_w = reference::fake_quantize_columns(reference::fake_quantize_rows(w));
  const auto expected = reference::linear(rounded_x, rounded_w, b, reference::Activation::kRelu);
  require_close(bench.read(output, kRows), expected);
  require_close(bench.read(output_again, kRows), reference::product(rounded_x, rounded_w));
  const auto gradient =
      reference::linear_backward(rounded_x, rounded_w, expected, dy, reference::Activation::kRelu);
  require_close(bench.read(dx, kRows), gradient.dx);
  require_close(bench.gradient_of(weight), gradient.dw);
  require_close(bench.gradient_of(bias), gradient.db);
}

TEST_CASE("the output layer multiplies rounded operands, and gradients ignore rounding") {
  constexpr float kScale = 100;
  constexpr std::size_t kRows = 70, kColumns = 12, kVocabulary = 30;
  const Matrix x = without_ties(noise(kRows, kColumns, 1), 1 / kScale),
               table = noise(kVocabulary, kColumns, 2);
  std::vector<std::uint32_t> targets;
  for (std::uint32_t i = 0; i < kRows; ++i) targets.push_back(7 * i % kVocabulary);
  Bench bench;
  const auto weight = bench.parameter(kVocabulary, kColumns);
  bench.allocate();
  bench.set(weight, table);
  nn::fix_activation_scale(bench.parameters, weight, kScale);
  bench.parameters.set_fake_quantization(nn::FakeQuantization::kOn);
  const auto rows = bench.program.count(kRows);
  bench.set_rows(rows, kRows);
  const auto input = bench.given(rows, x);
  nn::ChunkedLoss loss(bench.graph, input, {.table = weight, .bias = std::nullopt},
                       {.targets = bench.given_words(rows, 1, targets),
                        .vocabulary = kVocabulary,
                        .label_smoothing = 0.1,
                        .chunk_rows = 64});
  const auto dx = bench.observe_gradient(input);
  loss.set_rows(kRows);
  bench.run();
  const Matrix rounded_x = reference::fake_quantize(x, kScale),
               rounded_table = reference::fake_quantize_rows(table);
  const auto expected = reference::cross_entropy(
      reference::product(rounded_x, reference::transpose(rounded_table)), targets, 0.1, 1);
  double sum = 0;
  for (const double one : expected.loss) sum += one;
  CHECK(bench.program.host<float>(loss.totals())[0] == Approx(sum).epsilon(1e-5));
  require_close(bench.read(dx, kRows), reference::product(expected.dlogits, rounded_table), 1e-4);
  require_close(bench.gradient_of(weight),
                reference::product(reference::transpose(expected.dlogits), rounded_x), 1e-4);
}

TEST_CASE("calibration outputs the magnitudes of left operands") {
  const Matrix x = noise(5, 12, 1);
  Bench bench(nn::Mode::kInference);
  const auto weight = bench.parameter(12, 8);
  bench.allocate();
  bench.set(weight, noise(12, 8, 2));
  bench.parameters.set_fake_quantization(nn::FakeQuantization::kCalibrating);
  const auto rows = bench.program.count(8);
  bench.set_rows(rows, 5);
  const auto y = bench.observe(nn::linear(bench.graph, bench.given(rows, x), weight));
  REQUIRE(bench.graph.left_magnitudes().size() == 1);
  const auto& [matrix, largest] = bench.graph.left_magnitudes()[0];
  CHECK(matrix.index == weight.index);
  bench.run();
  CHECK(bench.read(largest, 5).values == reference::row_magnitudes(x).values);
  require_close(bench.read(y, 5), reference::product(x, noise(12, 8, 2)));
}

}  // namespace awend::tests
