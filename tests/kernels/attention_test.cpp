// Attention on the device against the reference: encoder, causal and cross forms over packed
// sentences.
#include "tests/kernels/attention_stage.hpp"

namespace awend::tests {
TEST_CASE("attention and its gradients equal the reference") {
  const std::vector<std::size_t> source = {0, 1, 10, 27, 30}, target = {0, 3, 4, 23, 32};
  check_attention({reference::sentence_ranges(source), 30, 2, 8, 8, 0});
  check_attention({reference::causal_ranges(target), 32, 2, 8, 12, 0});
  check_attention({reference::cross_ranges(target, source), 30, 3, 4, 36, 0});
  check_attention({reference::causal_ranges(target), 32, 1, 40, 4, 0.3});
  check_attention({reference::sentence_ranges({0, 1}), 1, 1, 4, 4, 0});
}

TEST_CASE("attention holds for scores far apart") {
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
  const auto sight = bench.given_words(rows, 2, words_of(keys));
  const auto seen =
      bench.observe(nn::attention(bench.graph, {t, t, t}, {sight, sight}, {1, 8, 8, 0}));
  bench.run();
  require_close(
      bench.read(seen, 9),
      reference::attention({.q = big, .k = big, .v = big, .keys = keys, .heads = 1, .dropout = {}})
          .y);
}

}  // namespace awend::tests
