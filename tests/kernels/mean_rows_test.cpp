// Means of rows on the device compared with the reference, forward and backward.
#include "nn/recurrent/mean_rows.hpp"

#include "tests/kernels/bench.hpp"
#include "tests/reference/mean_rows.hpp"

namespace awend::tests {
namespace {

/// How many means of the same rows are taken, whose gradients are added.
enum class Uses { kOne, kTwo };

void check(const reference::Ranges& ranges, std::size_t columns, Uses uses) {
  CAPTURE(ranges.size(), columns);
  std::size_t rows = 0;
  std::vector<std::uint32_t> words;
  for (const auto& [begin, end] : ranges) {
    rows = std::max(rows, end);
    words.push_back(static_cast<std::uint32_t>(begin));
    words.push_back(static_cast<std::uint32_t>(end));
  }
  const Matrix x = noise(rows, columns, 1), dy = noise(ranges.size(), columns, 2);
  Bench bench;
  bench.allocate();
  const auto count = bench.program.count(static_cast<std::uint32_t>(rows + 3));
  const auto sentences = bench.program.count(static_cast<std::uint32_t>(ranges.size() + 2));
  bench.set_rows(count, rows);
  bench.set_rows(sentences, ranges.size());
  const auto given = bench.given(count, x), of_sentences = bench.given_words(sentences, 2, words);
  const auto made = nn::mean_rows(bench.graph, given, of_sentences);
  const auto y = bench.observe(made);
  bench.seed_gradient(made, dy);
  if (uses == Uses::kTwo) bench.seed_gradient(nn::mean_rows(bench.graph, given, of_sentences), dy);
  bench.graph.derive_backward();
  const auto dx = bench.observe_gradient(given);
  bench.run();
  require_close(bench.read(y, ranges.size()), reference::mean_rows(x, ranges));
  Matrix expected = reference::mean_rows_backward(dy, ranges, rows);
  if (uses == Uses::kTwo) {
    for (double& value : expected.values) value *= 2;
  }
  require_close(bench.read(dx, rows), expected);
}

}  // namespace

TEST_CASE("means of rows equal the reference, forward and backward") {
  for (const auto uses : {Uses::kOne, Uses::kTwo}) {
    check({{0, 1}}, 4, uses);
    check({{5, 12}, {0, 3}, {3, 5}, {12, 13}}, 36, uses);
    check({{0, 90}}, 132, uses);
  }
}

}  // namespace awend::tests
