// The loss of spans on the device, and its gradients, compared with the reference.
#include "tests/reference/span_loss.hpp"

#include "tests/kernels/bench.hpp"
#include "tests/reference/matmul.hpp"

namespace awend::tests {
namespace {

constexpr std::size_t kColumns = 12;

std::vector<std::uint32_t> words_of(const reference::Ranges& pairs) {
  std::vector<std::uint32_t> words;
  for (const auto& [first, second] : pairs) {
    words.push_back(static_cast<std::uint32_t>(first));
    words.push_back(static_cast<std::uint32_t>(second));
  }
  return words;
}

/// Whether a capacity is larger than what is used.
enum class Capacity { kExact, kLarger };

void check(const reference::Ranges& ranges, const reference::Spans& spans, Capacity capacity) {
  CAPTURE(ranges.size());
  const std::size_t rows = ranges.back().second;
  const std::uint32_t spare = capacity == Capacity::kLarger ? 5 : 0;
  const Matrix x = noise(rows, kColumns, 1), table = noise(2, kColumns, 2), bias = noise(2, 1, 3);
  Bench bench;
  const nn::OutputLayer output{.table = bench.parameter(2, kColumns),
                               .bias = bench.parameter(2, 1)};
  bench.allocate();
  bench.set(output.table, table);
  bench.set(*output.bias, bias);
  const auto row_count = bench.program.count(static_cast<std::uint32_t>(rows) + spare);
  const auto sentences = bench.program.count(static_cast<std::uint32_t>(ranges.size()) + spare);
  bench.set_rows(row_count, rows);
  bench.set_rows(sentences, ranges.size());
  constexpr float kScale = 0.25f;
  bench.scalars().loss_scale = kScale;
  const auto input = bench.given(row_count, x);
  nn::SpanLoss loss(bench.graph, input, output,
                    {.ranges = bench.given_words(sentences, 2, words_of(ranges)),
                     .targets = bench.given_words(sentences, 2, words_of(spans))});
  const auto dx = bench.observe_gradient(input);
  bench.run();

  Matrix logits = reference::product(x, reference::transpose(table));
  for (std::size_t i = 0; i < logits.values.size(); ++i) logits.values[i] += bias(i % 2, 0);
  const auto oracle = reference::span_loss(logits, ranges, spans, kScale);
  const auto totals = bench.program.host<float>(loss.totals());
  REQUIRE(totals[0] == Approx(oracle.loss).epsilon(1e-5));
  REQUIRE(totals[1] == Approx(oracle.loss).epsilon(1e-5));
  require_close(bench.read(dx, rows), reference::product(oracle.dlogits, table), 1e-4);
  require_close(bench.gradient_of(output.table),
                reference::product(reference::transpose(oracle.dlogits), x), 1e-4);
  Matrix sums(2, 1);
  for (std::size_t i = 0; i < logits.values.size(); ++i) sums(i % 2, 0) += oracle.dlogits.values[i];
  require_close(bench.gradient_of(*output.bias), sums, 1e-4);
}

}  // namespace

TEST_CASE("the loss of spans and its gradients equal the reference") {
  for (const auto capacity : {Capacity::kExact, Capacity::kLarger}) {
    check({{0, 1}}, {{0, 0}}, capacity);
    check({{0, 7}, {7, 8}, {8, 100}, {100, 139}}, {{6, 6}, {7, 7}, {8, 99}, {110, 112}}, capacity);
    check({{0, 300}}, {{299, 299}}, capacity);
  }
}

TEST_CASE("large logits of spans do not overflow") {
  Bench bench(nn::Mode::kInference);
  const nn::OutputLayer output{.table = bench.parameter(2, 4), .bias = std::nullopt};
  bench.allocate();
  Matrix table(2, 4);
  table(0, 0) = table(1, 0) = 1000;
  bench.set(output.table, table);
  const auto rows = bench.program.count(3), sentences = bench.program.count(1);
  bench.set_rows(rows, 3);
  bench.set_rows(sentences, 1);
  Matrix x(3, 4);
  x(0, 0) = 1;
  x(1, 0) = 1.001;
  nn::SpanLoss loss(bench.graph, bench.given(rows, x), output,
                    {.ranges = bench.given_words(sentences, 2, {0, 3}),
                     .targets = bench.given_words(sentences, 2, {1, 0})});
  bench.run();
  // ln(1 + e^-1) for the first row, one more for the last one.
  CHECK(bench.program.host<float>(loss.totals())[0] ==
        Approx(2 * std::log(1 + std::exp(-1)) + 1).epsilon(1e-3));
}

}  // namespace awend::tests
