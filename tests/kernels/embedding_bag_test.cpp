// Bags of embeddings and their gradient on the device compared with the reference.
#include "nn/embedding_bag.hpp"

#include "tests/kernels/segments.hpp"
#include "tests/reference/embedding_bag.hpp"

namespace awend::tests {
namespace {

std::vector<std::uint32_t> words_of(const std::vector<std::pair<std::size_t, std::size_t>>& pairs) {
  std::vector<std::uint32_t> words;
  for (const auto& [begin, end] : pairs) {
    words.push_back(static_cast<std::uint32_t>(begin));
    words.push_back(static_cast<std::uint32_t>(end));
  }
  return words;
}

struct Case {
  std::uint32_t columns;
  nn::BagWeights weights;
};

void check_bag(const Case& c) {
  const bool is_position = c.weights == nn::BagWeights::kPosition;
  const std::vector<std::uint32_t> ids = {3, 3, 0, 10, 9, 3, 7, 7, 1, 3, 3};
  const reference::EmbeddingBag oracle{noise(11, c.columns, 1),
                                       ids,
                                       {{0, 3}, {4, 5}, {5, 5}, {6, 9}, {9, 11}, {9, 11}, {9, 11}},
                                       is_position};
  const std::vector<std::pair<std::size_t, std::size_t>> bags_of_row = {
      {0, 1}, {0, 1}, {0, 1}, {0, 0}, {1, 2}, {0, 0}, {3, 4}, {3, 4}, {3, 4}, {4, 7}, {4, 7}};
  const Matrix dy = noise(oracle.bags.size(), c.columns, 2);
  Bench bench;
  const auto table = bench.parameter(11, c.columns);
  bench.allocate();
  bench.set(table, oracle.table);
  const auto rows = bench.program.count(20), bags = bench.program.count(12);
  bench.set_rows(rows, ids.size());
  bench.set_rows(bags, oracle.bags.size());
  const auto y =
      nn::embedding_bag(bench.graph,
                        {.ids = bench.given_words(rows, 1, ids),
                         .rows_of_bag = bench.given_words(bags, 2, words_of(oracle.bags)),
                         .bags_of_row = bench.given_words(rows, 2, words_of(bags_of_row)),
                         .by_id = given_segments(bench, ids)},
                        table, c.weights);
  const auto output = bench.observe(y);
  bench.seed_gradient(y, dy);
  bench.graph.derive_backward();
  bench.run();
  require_close(bench.read(output, oracle.bags.size()), reference::embedding_bag(oracle));
  require_close(bench.gradient_of(table), reference::embedding_bag_backward(oracle, dy));
}

}  // namespace

TEST_CASE("bags of embeddings and their gradient equal the reference") {
  for (const auto weights : {nn::BagWeights::kOne, nn::BagWeights::kPosition}) {
    check_bag({4, weights});
    check_bag({20, weights});
    check_bag({68, weights});
  }
}

}  // namespace awend::tests
