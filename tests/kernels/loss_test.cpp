// The chunked, label-smoothed loss on the device, and its sums, compared with the reference.
#include "tests/reference/loss.hpp"

#include "tests/kernels/bench.hpp"
#include "tests/reference/matmul.hpp"

namespace awend::tests {
namespace {

struct Case {
  std::size_t rows, capacity, vocabulary;
  double smoothing;
  float scale;
  enum class Bias { kNone, kAdded } bias = Bias::kNone;
  enum class Targets { kAll, kSome } targets = Targets::kAll;
};

void check_loss(const Case& c) {
  CAPTURE(c.rows, c.vocabulary, c.smoothing);
  constexpr std::size_t kColumns = 12;
  const Matrix x = noise(c.rows, kColumns, 1), table = noise(c.vocabulary, kColumns, 2);
  std::vector<std::uint32_t> targets;
  base::Random random(9);
  for (std::size_t i = 0; i < c.rows; ++i) {
    const auto target = random.below(static_cast<std::uint32_t>(c.vocabulary));
    targets.push_back(c.targets == Case::Targets::kSome && i % 3 == 1 ? reference::kNoTarget
                                                                      : target);
  }
  Bench bench;
  const auto t = bench.parameter(c.vocabulary, kColumns);
  nn::OutputLayer output{.table = t, .bias = std::nullopt};
  Matrix bias(c.vocabulary, 1);
  if (c.bias == Case::Bias::kAdded) {
    output.bias = bench.parameter(c.vocabulary, 1);
    bias = noise(c.vocabulary, 1, 3);
  }
  bench.allocate();
  bench.set(t, table);
  if (output.bias) bench.set(*output.bias, bias);
  const auto rows = bench.program.count(static_cast<std::uint32_t>(c.capacity));
  bench.set_rows(rows, c.rows);
  bench.scalars().loss_scale = c.scale;
  const auto input = bench.given(rows, x);
  nn::ChunkedLoss loss(bench.graph, input, output,
                       {.targets = bench.given_words(rows, 1, targets),
                        .vocabulary = static_cast<std::uint32_t>(c.vocabulary),
                        .label_smoothing = c.smoothing,
                        .chunk_rows = 64});
  const auto dx = bench.observe_gradient(input);
  loss.set_rows(static_cast<std::uint32_t>(c.rows));
  bench.run();

  Matrix logits = reference::product(x, reference::transpose(table));
  for (std::size_t i = 0; i < logits.values.size(); ++i)
    logits.values[i] += bias(i % c.vocabulary, 0);
  const auto oracle = reference::cross_entropy(logits, targets, c.smoothing, c.scale);
  double smoothed = 0, plain = 0;
  for (std::size_t i = 0; i < c.rows; ++i) {
    smoothed += oracle.loss[i];
    plain += oracle.negative_log_likelihood[i];
  }
  const auto totals = bench.program.host<float>(loss.totals());
  REQUIRE(totals[0] == Approx(smoothed).epsilon(1e-5));
  REQUIRE(totals[1] == Approx(plain).epsilon(1e-5));
  require_close(bench.read(dx, c.rows), reference::product(oracle.dlogits, table), 1e-4);
  require_close(bench.gradient_of(t), reference::product(reference::transpose(oracle.dlogits), x),
                1e-4);
  if (!output.bias) return;
  Matrix sums(c.vocabulary, 1);
  for (std::size_t i = 0; i < logits.values.size(); ++i)
    sums(i % c.vocabulary, 0) += oracle.dlogits.values[i];
  require_close(bench.gradient_of(*output.bias), sums, 1e-4);
}

}  // namespace

TEST_CASE("the chunked loss and its gradients equal the reference") {
  check_loss({.rows = 1, .capacity = 1, .vocabulary = 5, .smoothing = 0.1, .scale = 1});
  check_loss({.rows = 150, .capacity = 200, .vocabulary = 37, .smoothing = 0.1, .scale = 0.25f});
  check_loss({.rows = 64, .capacity = 300, .vocabulary = 100, .smoothing = 0, .scale = 1});
  check_loss({.rows = 150,
              .capacity = 200,
              .vocabulary = 37,
              .smoothing = 0.1,
              .scale = 0.25f,
              .bias = Case::Bias::kAdded});
}

TEST_CASE("rows without a target have no loss and no gradient") {
  check_loss({.rows = 150,
              .capacity = 200,
              .vocabulary = 37,
              .smoothing = 0.1,
              .scale = 0.25f,
              .targets = Case::Targets::kSome});
}

TEST_CASE("the losses of tokens are without masked ids, in every chunk") {
  constexpr std::size_t kRows = 130, kVocabulary = 9;
  const Matrix x = noise(kRows, 8, 1), table = noise(kVocabulary, 8, 2);
  std::vector<std::uint32_t> targets;
  for (std::uint32_t i = 0; i < kRows; ++i) targets.push_back(i % 3);
  Bench bench(nn::Mode::kInference);
  const auto t = bench.parameter(kVocabulary, 8);
  bench.allocate();
  bench.set(t, table);
  const auto rows = bench.program.count(kRows);
  bench.set_rows(rows, kRows);
  nn::ChunkedLoss loss(bench.graph, bench.given(rows, x),
                       nn::OutputLayer{.table = t, .bias = std::nullopt, .masked_ids = {3, 8}},
                       {.targets = bench.given_words(rows, 1, targets),
                        .vocabulary = kVocabulary,
                        .label_smoothing = 0,
                        .chunk_rows = 64,
                        .for_host = true});
  loss.set_rows(kRows);
  bench.run();
  Matrix logits = reference::product(x, reference::transpose(table));
  for (std::size_t row = 0; row < kRows; ++row) logits(row, 3) = logits(row, 8) = -1e30;
  const auto oracle = reference::cross_entropy(logits, targets, 0, 1);
  const auto pairs = bench.program.host<float>(loss.rows());
  for (std::size_t row = 0; row < kRows; ++row)
    REQUIRE(pairs[2 * row + 1] == Approx(oracle.negative_log_likelihood[row]).margin(1e-5));
}

}  // namespace awend::tests
