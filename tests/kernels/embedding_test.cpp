// Embedding and its gradients on the device compared with the reference.
#include "tests/reference/embedding.hpp"

#include "nn/recurrent/lookup.hpp"
#include "tests/kernels/segments.hpp"

namespace awend::tests {
namespace {

void check_embedding(const nn::EmbeddingSettings& settings) {
  const double probability = settings.dropout;
  constexpr std::size_t kVocabulary = 11, kColumns = 20, kLongest = 6;
  const std::vector<std::uint32_t> ids = {3, 3, 0, 10, reference::kNoToken, 3, 7, 7, 1};
  const std::vector<std::uint32_t> places = {0, 1, 2, 3, 0, 1, 2, 5, 0};
  const Matrix table = noise(kVocabulary, kColumns, 1), positions = noise(kLongest, kColumns, 2);
  const Matrix dy = noise(ids.size(), kColumns, 3);
  Bench bench;
  const auto t = bench.parameter(kVocabulary, kColumns);
  const auto p = bench.parameter(kLongest, kColumns);
  bench.allocate();
  bench.set(t, table);
  bench.set(p, positions);
  const auto rows = bench.program.count(static_cast<std::uint32_t>(ids.size() + 4));
  bench.set_rows(rows, ids.size());
  const nn::EmbeddingInputs inputs{.ids = bench.given_words(rows, 1, ids),
                                   .positions = bench.given_words(rows, 1, places),
                                   .by_id = given_segments(bench, ids),
                                   .by_position = given_segments(bench, places)};
  const auto y = nn::embedding(bench.graph, inputs, t, {bench.graph.value(p), p}, settings);
  const auto output = bench.observe(y);
  bench.seed_gradient(y, dy);
  bench.graph.derive_backward();
  bench.run();
  const auto& scalars = bench.scalars();
  const reference::Embedding oracle{
      .table = table,
      .positions = positions,
      .ids = ids,
      .places = places,
      .dropout = reference::philox_dropout(
          {.probability = probability,
           .seed = scalars.seed_low | std::uint64_t{scalars.seed_high} << 32,
           .dropout_id = 1,
           .step = scalars.step}),
      .scale = settings.scale == nn::EmbeddingScale::kOne ? std::optional(1.0) : std::nullopt};
  const auto gradient = reference::embedding_backward(oracle, dy);
  require_close(bench.read(output, ids.size()), reference::embedding(oracle));
  require_close(bench.gradient_of(t), gradient.dtable);
  require_close(bench.gradient_of(p), gradient.dpositions);
}

}  // namespace

TEST_CASE("embedding and its gradients equal the reference") {
  check_embedding(0);
  check_embedding(0.4);
  check_embedding({0.4, nn::EmbeddingScale::kOne});
}

TEST_CASE("a lookup is a row of the table, and its gradient the sum of the rows that used it") {
  const std::vector<std::uint32_t> ids = {3, 0, 3, reference::kNoToken, 5};
  const Matrix table = noise(6, 12, 1), dy = noise(ids.size(), 12, 2);
  Bench bench;
  const auto t = bench.parameter(6, 12);
  bench.allocate();
  bench.set(t, table);
  const auto rows = bench.program.count(9);
  bench.set_rows(rows, ids.size());
  const auto y =
      nn::lookup(bench.graph, {bench.given_words(rows, 1, ids), given_segments(bench, ids)}, t);
  const auto output = bench.observe(y);
  bench.seed_gradient(y, dy);
  bench.graph.derive_backward();
  bench.run();
  Matrix expected(ids.size(), 12), gradient(6, 12);
  for (std::size_t row = 0; row < ids.size(); ++row) {
    if (ids[row] == reference::kNoToken) continue;
    for (std::size_t column = 0; column < 12; ++column) {
      expected(row, column) = table(ids[row], column);
      gradient(ids[row], column) += dy(row, column);
    }
  }
  require_close(bench.read(output, ids.size()), expected);
  require_close(bench.gradient_of(t), gradient);
}

TEST_CASE("the gradient of a token that fills a large batch is complete") {
  constexpr std::uint32_t kRows = 50'000, kColumns = 64;
  Bench bench;
  const auto table = bench.parameter(4, kColumns);
  bench.allocate();
  const auto rows = bench.program.fixed(kRows);
  std::vector<std::uint32_t> all(kRows);
  for (std::uint32_t row = 0; row < kRows; ++row) all[row] = row;
  const nn::Count one = bench.program.fixed(1);
  const nn::EmbeddingInputs inputs{
      .ids = bench.given_words(rows, 1, std::vector<std::uint32_t>(kRows, 2)),
      .positions = bench.given_words(rows, 1, std::vector<std::uint32_t>(kRows, 0)),
      .by_id = nn::Segments{.count = one,
                            .keys = bench.given_words(one, 1, {2}),
                            .begins = bench.given_words(bench.program.fixed(2), 1, {0, kRows}),
                            .rows = bench.given_words(rows, 1, all)},
      .by_position = std::nullopt};
  const auto positions = bench.program.constant(kColumns, std::vector<float>(kColumns, 0.0f));
  const auto y = nn::embedding(bench.graph, inputs, table, {positions, std::nullopt}, 0);
  Matrix dy(kRows, kColumns);
  for (double& value : dy.values) value = 0.5;
  bench.seed_gradient(y, dy);
  bench.graph.derive_backward();
  bench.run();
  const Matrix gradient = bench.gradient_of(table);
  for (std::size_t column = 0; column < kColumns; ++column) {
    REQUIRE(gradient(2, column) == Approx(0.5 * kRows * 8));
  }
}

}  // namespace awend::tests
