// One attention on a device, and its gradients, compared with the reference.
#pragma once

#include "nn/attention/shared.hpp"
#include "tests/kernels/bench.hpp"
#include "tests/reference/attention.hpp"

namespace awend::tests {

inline std::vector<std::uint32_t> words_of(const std::vector<reference::RowRange>& ranges) {
  std::vector<std::uint32_t> words;
  for (const auto& range : ranges) {
    words.push_back(static_cast<std::uint32_t>(range.begin));
    words.push_back(static_cast<std::uint32_t>(range.end));
  }
  return words;
}

/// The query rows that attend to each key row.
inline std::vector<reference::RowRange> queries_of(const std::vector<reference::RowRange>& keys,
                                                   std::size_t key_rows) {
  std::vector<reference::RowRange> queries(key_rows);
  for (std::size_t query = 0; query < keys.size(); ++query) {
    for (auto key = keys[query].begin; key < keys[query].end; ++key) {
      if (queries[key].begin == queries[key].end) queries[key].begin = query;
      queries[key].end = query + 1;
    }
  }
  return queries;
}

struct AttentionCase {
  std::vector<reference::RowRange> keys;
  std::size_t key_rows;
  std::uint32_t heads, d_k, d_v;
  double dropout;
  nn::Element precision = nn::Element::kFloat32;
  double tolerance = kFp32Tolerance;
  /// Rows of a workgroup of the kernels with shared memory; default: the kernels for the device.
  std::optional<std::uint32_t> shared_rows = std::nullopt;
};

inline void check_attention(const AttentionCase& c) {
  const std::size_t query_rows = c.keys.size();
  CAPTURE(query_rows, c.key_rows, c.heads, c.d_k, c.d_v, c.dropout, nn::name_of(c.precision));
  const Matrix q = noise(query_rows, c.heads * c.d_k, 1), k = noise(c.key_rows, c.heads * c.d_k, 2);
  const Matrix v = noise(c.key_rows, c.heads * c.d_v, 3),
               dy = noise(query_rows, c.heads * c.d_v, 4);
  Bench bench;
  bench.allocate(c.precision);
  const auto queries = bench.program.count(static_cast<std::uint32_t>(query_rows + 5));
  const auto keys = bench.program.count(static_cast<std::uint32_t>(c.key_rows + 2));
  bench.set_rows(queries, query_rows);
  bench.set_rows(keys, c.key_rows);
  const auto qt = bench.given(queries, q), kt = bench.given(keys, k), vt = bench.given(keys, v);
  const nn::AttentionRanges ranges{
      .keys_of_query = bench.given_words(queries, 2, words_of(c.keys)),
      .queries_of_key = bench.given_words(keys, 2, words_of(queries_of(c.keys, c.key_rows)))};
  const nn::AttentionShape shape{c.heads, c.d_k, c.d_v, c.dropout};
  const auto y = c.shared_rows ? nn::attention_by(nn::shared_attention_kernels(*c.shared_rows),
                                                  bench.graph, {qt, kt, vt}, ranges, shape)
                               : nn::attention(bench.graph, {qt, kt, vt}, ranges, shape);
  const auto output = bench.observe(y);
  bench.seed_gradient(y, dy);
  bench.graph.derive_backward();
  const auto dq = bench.observe_gradient(qt), dk = bench.observe_gradient(kt),
             dv = bench.observe_gradient(vt);
  bench.run();

  const auto& scalars = bench.scalars();
  const reference::Attention oracle{
      .q = rounded(q, c.precision),
      .k = rounded(k, c.precision),
      .v = rounded(v, c.precision),
      .keys = c.keys,
      .heads = c.heads,
      .dropout = {.probability = c.dropout,
                  .seed = scalars.seed_low | std::uint64_t{scalars.seed_high} << 32,
                  .dropout_id = 1,
                  .step = scalars.step}};
  const auto gradient = reference::attention_backward(oracle, rounded(dy, c.precision));
  require_close(bench.read(output, query_rows), reference::attention(oracle).y, c.tolerance);
  require_close(bench.read(dq, query_rows), gradient.dq, c.tolerance);
  require_close(bench.read(dk, c.key_rows), gradient.dk, c.tolerance);
  require_close(bench.read(dv, c.key_rows), gradient.dv, c.tolerance);
}

}  // namespace awend::tests
