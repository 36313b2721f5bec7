// Attention on the device compared with the reference: encoder, causal and cross forms over packed
// sentences.
#include "tests/kernels/attention_stage.hpp"

namespace awend::tests {
TEST_CASE("attention and its gradients equal the reference", "[attention]") {
  const std::vector<std::size_t> source = {0, 1, 10, 27, 30}, target = {0, 3, 4, 23, 32};
  check_attention({reference::sentence_ranges(source), 30, 2, 8, 8, 0});
  check_attention({reference::causal_ranges(target), 32, 2, 8, 12, 0});
  check_attention({reference::cross_ranges(target, source), 30, 3, 4, 36, 0});
  check_attention({reference::causal_ranges(target), 32, 1, 40, 4, 0.3});
  check_attention({reference::sentence_ranges({0, 1}), 1, 1, 4, 4, 0});
  // Keys 2 and 6 have no queries.
  check_attention({{{0, 2}, {0, 2}, {3, 6}, {3, 6}, {3, 6}}, 7, 2, 8, 8, 0.2});
}

TEST_CASE("restricted attention and its gradients equal the reference", "[attention]") {
  const std::vector<std::size_t> source = {0, 1, 10, 27, 30}, longer = {0, 3, 90};
  for (const std::size_t window : {1, 3, 20}) {
    CAPTURE(window);
    const auto restricted = [&](const std::vector<reference::RowRange>& ranges) {
      return reference::window_ranges(ranges, window);
    };
    check_attention({restricted(reference::sentence_ranges(source)), 30, 2, 8, 8, 0});
    check_attention({restricted(reference::causal_ranges(source)), 30, 3, 4, 36, 0.2});
    check_attention({restricted(reference::sentence_ranges(longer)), 90, 2, 40, 8, 0.3});
    check_attention({restricted(reference::causal_ranges(longer)), 90, 1, 8, 12, 0});
  }
}

TEST_CASE("attention is exact for scores far apart", "[attention]") {
  const Matrix big = [] {
    Matrix m = noise(9, 8, 5);
    for (double& value : m.values) value *= 60;
    return m;
  }();
  Bench bench(nn::Mode::kInference);
  const auto rows = bench.program.count(9);
  bench.set_rows(rows, 9);
  const auto t = bench.given(rows, big);
  const auto keys = reference::causal_ranges({0, 9});
  const auto ranges = bench.given_words(rows, 2, words_of(keys));
  const auto output =
      bench.observe(nn::attention(bench.graph, {t, t, t}, {ranges, ranges}, {1, 8, 8, 0}));
  bench.run();
  require_close(
      bench.read(output, 9),
      reference::attention({.q = big, .k = big, .v = big, .keys = keys, .heads = 1, .dropout = {}})
          .y);
}

TEST_CASE("the weights of attention equal the reference", "[attention]") {
  const std::vector<std::size_t> source = {0, 1, 10, 27, 30}, target = {0, 3, 4, 23, 32};
  const auto keys = reference::cross_ranges(target, source);
  constexpr std::uint32_t kHeads = 3, kWidth = 12, kMaxKeys = 20;
  const Matrix q = noise(32, kHeads * kWidth, 1), k = noise(30, kHeads * kWidth, 2);
  Bench bench(nn::Mode::kInference);
  bench.allocate();
  const auto rows = bench.program.count(35), key_rows = bench.program.count(30);
  bench.set_rows(rows, 32);
  bench.set_rows(key_rows, 30);
  const auto qt = bench.given(rows, q), kt = bench.given(key_rows, k);
  const auto ranges = bench.given_words(rows, 2, words_of(keys));
  nn::Tensor weights;
  bench.graph.on_attention([&](const nn::AttentionRecord& output) {
    weights = nn::attention_weights(bench.graph, output, kMaxKeys);
  });
  bench.observe(
      nn::attention(bench.graph, {qt, kt, kt}, {ranges, ranges}, {kHeads, kWidth, kWidth, 0}));
  bench.run();
  const auto output = bench.program.host<float>(weights);
  const reference::Attention oracle{
      .q = q, .k = k, .v = k, .keys = keys, .heads = kHeads, .dropout = {}};
  const auto log_sums = reference::attention_log_sum_exp(oracle);
  for (std::size_t row = 0; row < 32; ++row) {
    for (std::uint32_t head = 0; head < kHeads; ++head) {
      for (auto key = keys[row].begin; key < keys[row].end; ++key) {
        const double expected =
            std::exp(reference::attention_score(oracle, row, key, head) - log_sums(row, head));
        REQUIRE(output[(row * kHeads + head) * kMaxKeys + key - keys[row].begin] ==
                Approx(expected).epsilon(1e-4).margin(1e-6));
      }
    }
  }
}

}  // namespace awend::tests
