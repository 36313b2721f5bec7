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
};

void check_loss(const Case& c) {
  CAPTURE(c.rows, c.vocabulary, c.smoothing);
  constexpr std::size_t kColumns = 12;
  const Matrix x = noise(c.rows, kColumns, 1), table = noise(c.vocabulary, kColumns, 2);
  std::vector<std::uint32_t> targets;
  base::Random random(9);
  for (std::size_t i = 0; i < c.rows; ++i)
    targets.push_back(random.below(static_cast<std::uint32_t>(c.vocabulary)));
  Bench bench;
  const auto t = bench.parameter(c.vocabulary, kColumns);
  bench.allocate();
  bench.set(t, table);
  const auto rows = bench.program.count(static_cast<std::uint32_t>(c.capacity));
  bench.set_rows(rows, c.rows);
  bench.scalars().loss_scale = c.scale;
  const auto input = bench.given(rows, x);
  nn::ChunkedLoss loss(bench.graph, input, t,
                       {.targets = bench.given_words(rows, 1, targets),
                        .vocabulary = static_cast<std::uint32_t>(c.vocabulary),
                        .label_smoothing = c.smoothing,
                        .chunk_rows = 64});
  const auto dx = bench.observe_gradient(input);
  loss.set_rows(static_cast<std::uint32_t>(c.rows));
  bench.run();

  const auto oracle = reference::cross_entropy(reference::product(x, reference::transpose(table)),
                                               targets, c.smoothing, c.scale);
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
}

}  // namespace

TEST_CASE("the chunked loss and its gradients equal the reference") {
  check_loss({.rows = 1, .capacity = 1, .vocabulary = 5, .smoothing = 0.1, .scale = 1});
  check_loss({.rows = 150, .capacity = 200, .vocabulary = 37, .smoothing = 0.1, .scale = 0.25f});
  check_loss({.rows = 64, .capacity = 300, .vocabulary = 100, .smoothing = 0, .scale = 1});
}

}  // namespace awend::tests
