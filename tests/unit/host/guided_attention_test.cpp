// Guided alignment on the CPU: all instruction sets and numbers of threads give the same bytes.
#include "shaders/op_guided_attention.h"
#include "tests/unit/host/sets.hpp"

namespace awend::host {

TEST_CASE("guided alignment: instruction sets give the same bytes") {
  constexpr std::uint32_t kRows = 300, kKeys = 40, kHeads = 2, kWidth = 32, kWords = 2;
  std::vector<std::uint32_t> ranges, queries, links;
  for (std::uint32_t row = 0; row < kRows; ++row) {
    ranges.insert(ranges.end(), {row / 100 * kKeys, (row / 100 + 1) * kKeys});
    links.insert(links.end(), {row * 2654435761U, row % 100});
  }
  for (std::uint32_t key = 0; key < 3 * kKeys; ++key)
    queries.insert(queries.end(), {key / kKeys * 100, (key / kKeys + 1) * 100});
  const auto q = uniform_floats(std::size_t{kRows} * kHeads * kWidth, 1),
             k = uniform_floats(3 * kKeys * kHeads * kWidth, 2);
  StepScalars step{};
  step.loss_scale = 0.5F;
  for (const std::uint32_t cost : {GUIDED_CROSS_ENTROPY, GUIDED_SQUARED_ERROR}) {
    result_of_all([&](ThreadPool& pool) {
      std::vector<float> dscores(kRows * kKeys), costs(2 * kRows), dq = q, dk = k;
      guided_attention(pool, {.step = &step,
                              .key_ranges = ranges.data(),
                              .links = links.data(),
                              .q = q.data(),
                              .k = k.data(),
                              .dscores = dscores.data(),
                              .costs = costs.data(),
                              .heads = kHeads,
                              .d_k = kWidth,
                              .head = 1,
                              .stride = kKeys,
                              .words = kWords,
                              .cost = cost,
                              .rows_count = RowCount(kRows),
                              .weight = 0.5F});
      guided_attention_query(pool, {.key_ranges = ranges.data(),
                                    .dscores = dscores.data(),
                                    .k = k.data(),
                                    .dq = dq.data(),
                                    .heads = kHeads,
                                    .d_k = kWidth,
                                    .head = 1,
                                    .stride = kKeys,
                                    .rows_count = RowCount(kRows)});
      guided_attention_key(pool, {.key_ranges = ranges.data(),
                                  .queries_of_key = queries.data(),
                                  .dscores = dscores.data(),
                                  .q = q.data(),
                                  .dk = dk.data(),
                                  .heads = kHeads,
                                  .d_k = kWidth,
                                  .head = 1,
                                  .stride = kKeys,
                                  .rows_count = RowCount(3 * kKeys)});
      costs.insert(costs.end(), dq.begin(), dq.end());
      costs.insert(costs.end(), dk.begin(), dk.end());
      return costs;
    });
  }
}

}  // namespace awend::host
