// Attention of the steps of recurrent layers and of decoding on the CPU.  The bytes depend neither
// on the instruction set nor on threads; the values are compared with the reference in
// tests/kernels.
#include "shaders/op_attention_cached.h"
#include "shaders/op_attention_center.h"
#include "shaders/op_attention_weights.h"
#include "shaders/op_step_attention.h"
#include "shaders/op_step_attention_keys.h"
#include "tests/unit/host/sentences.hpp"

namespace awend::host {
namespace {

/// Row i has the keys [0, i]; the queries of key i are [i, kRows).
std::vector<std::uint32_t> triangle(std::uint32_t first, bool begins) {
  std::vector<std::uint32_t> ranges;
  for (std::uint32_t i = 0; i < kRows; ++i) {
    ranges.push_back(begins ? first : i);
    ranges.push_back(begins ? i + 1 : kRows);
  }
  return ranges;
}

TEST_CASE("attention of steps: instruction sets give the same bytes") {
  const auto table = in_order(), keys = triangle(0, true), queries = triangle(0, false);
  for (const std::size_t additive : {0, 1}) {
    for (const std::size_t n : kWidths) {
      CAPTURE(additive, n);
      const RowCount count(kRows);
      const auto q = input(n, 1), k = input(n, 2), values = input(n, 3), v = input(n, 4);
      const auto dcontexts = input(n, 5);
      result_of_all([&](ThreadPool& pool) {
        auto context = input(n, 6), contexts = context, kept = context;
        std::vector<float> weights(kRows * kRows), dscores(kRows * kRows);
        auto dq = input(n, 7), dqueries = dq, dk = dq, dv = dq, dvalues = dq;
        step_attention(pool, {.table = table.data(),
                              .ranges = keys.data(),
                              .q = q.data(),
                              .v = v.data(),
                              .k = k.data(),
                              .values = values.data(),
                              .context = context.data(),
                              .contexts = contexts.data(),
                              .queries = kept.data(),
                              .weights = weights.data(),
                              .columns = n,
                              .value_columns = n,
                              .additive = additive,
                              .stride = kRows,
                              .keep = 1,
                              .slots = additive == 0 ? kRows : 0,
                              .rows_count = count});
        step_attention_backward(pool, {.table = table.data(),
                                       .ranges = keys.data(),
                                       .queries = kept.data(),
                                       .v = v.data(),
                                       .k = k.data(),
                                       .values = values.data(),
                                       .weights = weights.data(),
                                       .dcontexts = dcontexts.data(),
                                       .dscores = dscores.data(),
                                       .dq = dq.data(),
                                       .dqueries = dqueries.data(),
                                       .columns = n,
                                       .value_columns = n,
                                       .additive = additive,
                                       .stride = kRows,
                                       .add = 1,
                                       .rows_count = count});
        step_attention_keys(pool, {.queries_of_key = queries.data(),
                                   .keys_of_query = keys.data(),
                                   .queries = kept.data(),
                                   .v = v.data(),
                                   .k = k.data(),
                                   .dscores = dscores.data(),
                                   .dk = dk.data(),
                                   .dv = dv.data(),
                                   .columns = n,
                                   .additive = additive,
                                   .stride = kRows,
                                   .rows_count = count});
        step_attention_values(pool, {.queries_of_key = queries.data(),
                                     .keys_of_query = keys.data(),
                                     .weights = weights.data(),
                                     .dcontexts = dcontexts.data(),
                                     .dvalues = dvalues.data(),
                                     .columns = n,
                                     .stride = kRows,
                                     .rows_count = count});
        return joined({context, weights, dscores, dq, dk, dv, dvalues});
      });
    }
  }
}

TEST_CASE("local attention: instruction sets give the same bytes") {
  const auto table = in_order(), keys = triangle(0, true);
  for (const std::size_t n : kWidths) {
    CAPTURE(n);
    const RowCount count(kRows);
    const auto q = input(n, 1), k = input(n, 2), v = input(n, 3), values = input(n, 4);
    const auto dcontexts = input(n, 5);
    result_of_all([&](ThreadPool& pool) {
      auto products = input(n, 6), context = products, contexts = products, kept = products;
      auto dz = products, dproducts = products, dv = products, dq = products, dqueries = products;
      std::vector<float> centers(kRows), dcenters(kRows);
      std::vector<float> weights(kRows * kRows), dscores(kRows * kRows);
      attention_center(pool, {.table = table.data(),
                              .ranges = keys.data(),
                              .z = q.data(),
                              .v = v.data(),
                              .centers = centers.data(),
                              .products = products.data(),
                              .columns = n,
                              .keep = 1,
                              .rows_count = count});
      step_attention(pool, {.table = table.data(),
                            .ranges = keys.data(),
                            .q = q.data(),
                            .k = k.data(),
                            .values = values.data(),
                            .context = context.data(),
                            .contexts = contexts.data(),
                            .queries = kept.data(),
                            .weights = weights.data(),
                            .centers = centers.data(),
                            .columns = n,
                            .value_columns = n,
                            .stride = kRows,
                            .keep = 1,
                            .window = 7,
                            .gaussian = 1,
                            .rows_count = count});
      step_attention_backward(pool, {.table = table.data(),
                                     .ranges = keys.data(),
                                     .queries = kept.data(),
                                     .k = k.data(),
                                     .values = values.data(),
                                     .weights = weights.data(),
                                     .dcontexts = dcontexts.data(),
                                     .dscores = dscores.data(),
                                     .dq = dq.data(),
                                     .dqueries = dqueries.data(),
                                     .centers = centers.data(),
                                     .dcenters = dcenters.data(),
                                     .columns = n,
                                     .value_columns = n,
                                     .stride = kRows,
                                     .window = 7,
                                     .gaussian = 1,
                                     .rows_count = count});
      attention_center_backward(pool, {.table = table.data(),
                                       .ranges = keys.data(),
                                       .products = products.data(),
                                       .v = v.data(),
                                       .centers = centers.data(),
                                       .dcenters = dcenters.data(),
                                       .dz = dz.data(),
                                       .dproducts = dproducts.data(),
                                       .dv = dv.data(),
                                       .columns = n,
                                       .rows_count = count});
      return joined({centers, context, weights, dscores, dq, dcenters, dz, dv});
    });
  }
}

TEST_CASE("attention of decoding: instruction sets give the same bytes") {
  constexpr std::size_t kHeads = 2;
  const auto past = triangle(0, true), ancestors = in_order();
  for (const std::size_t n : kWidths) {
    CAPTURE(n);
    const auto q = input(kHeads * n, 1), k = input(kHeads * n, 2), v = input(kHeads * n, 3);
    result_of_all([&](ThreadPool& pool) {
      auto y = input(kHeads * n, 4);
      attention_cached(pool, {.past = past.data(),
                              .ancestors = ancestors.data(),
                              .q = q.data(),
                              .k = k.data(),
                              .v = v.data(),
                              .y = y.data(),
                              .heads = kHeads,
                              .d_k = n,
                              .d_v = n,
                              .rows_count = RowCount(kRows)});
      std::vector<float> sums(kRows * kHeads, 2), weights(kRows * kHeads * kRows);
      attention_weights(pool, {.key_ranges = past.data(),
                               .q = q.data(),
                               .k = k.data(),
                               .log_sum_exp = sums.data(),
                               .weights = weights.data(),
                               .heads = kHeads,
                               .d_k = n,
                               .stride = kRows,
                               .rows_count = RowCount(kRows)});
      return joined({y, weights});
    });
  }
}

}  // namespace
}  // namespace awend::host
