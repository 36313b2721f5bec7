// Means and copies of rows on the device compared with the reference, forward and backward.
#include "nn/recurrent/mean_rows.hpp"

#include "tests/kernels/bench.hpp"
#include "tests/reference/mean_rows.hpp"

namespace awend::tests {
namespace {

/// How many results depend on the same rows, whose gradients are added.
enum class Uses { kOne, kTwo };

/// Sentences on the device.
struct Stage {
  explicit Stage(const reference::Ranges& ranges) {
    std::vector<std::uint32_t> words;
    for (const auto& [begin, end] : ranges) {
      rows = std::max(rows, end);
      words.push_back(static_cast<std::uint32_t>(begin));
      words.push_back(static_cast<std::uint32_t>(end));
    }
    bench.allocate();
    row_count = bench.program.count(static_cast<std::uint32_t>(rows + 3));
    const auto sentences = bench.program.count(static_cast<std::uint32_t>(ranges.size() + 2));
    bench.set_rows(row_count, rows);
    bench.set_rows(sentences, ranges.size());
    of_sentences = bench.given_words(sentences, 2, words);
  }

  Bench bench;
  std::size_t rows = 0;
  nn::Count row_count{};
  nn::Tensor of_sentences{};
};

Matrix times(Matrix matrix, Uses uses) {
  for (double& value : matrix.values) value *= uses == Uses::kTwo ? 2 : 1;
  return matrix;
}

void check_means(const reference::Ranges& ranges, std::size_t columns, Uses uses) {
  CAPTURE(ranges.size(), columns);
  Stage stage(ranges);
  Bench& bench = stage.bench;
  const Matrix x = noise(stage.rows, columns, 1), dy = noise(ranges.size(), columns, 2);
  const auto given = bench.given(stage.row_count, x);
  const auto made = nn::mean_rows(bench.graph, given, stage.of_sentences);
  const auto y = bench.observe(made);
  bench.seed_gradient(made, dy);
  if (uses == Uses::kTwo)
    bench.seed_gradient(nn::mean_rows(bench.graph, given, stage.of_sentences), dy);
  bench.graph.derive_backward();
  const auto dx = bench.observe_gradient(given);
  bench.run();
  require_close(bench.read(y, ranges.size()), reference::mean_rows(x, ranges));
  require_close(bench.read(dx, stage.rows),
                times(reference::mean_rows_backward(dy, ranges, stage.rows), uses));
}

void check_copies(const reference::Ranges& ranges, std::size_t columns, Uses uses) {
  CAPTURE(ranges.size(), columns);
  Stage stage(ranges);
  Bench& bench = stage.bench;
  const Matrix x = noise(ranges.size(), columns, 1), dy = noise(stage.rows, columns, 2);
  const auto given = bench.given(stage.of_sentences.rows, x);
  const auto copy = [&] {
    return nn::repeat_rows(bench.graph, given, stage.of_sentences, stage.row_count);
  };
  const auto made = copy();
  const auto y = bench.observe(made);
  bench.seed_gradient(made, dy);
  if (uses == Uses::kTwo) bench.seed_gradient(copy(), dy);
  bench.graph.derive_backward();
  const auto dx = bench.observe_gradient(given);
  bench.run();
  require_close(bench.read(y, stage.rows), reference::repeat_rows(x, ranges, stage.rows));
  require_close(bench.read(dx, ranges.size()),
                times(reference::repeat_rows_backward(dy, ranges), uses));
}

const reference::Ranges kOne = {{0, 1}}, kSome = {{5, 12}, {0, 3}, {3, 5}, {12, 13}},
                        kLong = {{0, 90}};

}  // namespace

TEST_CASE("means of rows equal the reference, forward and backward") {
  for (const auto uses : {Uses::kOne, Uses::kTwo}) {
    check_means(kOne, 4, uses);
    check_means(kSome, 36, uses);
    check_means(kLong, 132, uses);
  }
}

TEST_CASE("copies of rows equal the reference, forward and backward") {
  for (const auto uses : {Uses::kOne, Uses::kTwo}) {
    check_copies(kOne, 4, uses);
    check_copies(kSome, 36, uses);
    check_copies(kLong, 132, uses);
  }
}

}  // namespace awend::tests
