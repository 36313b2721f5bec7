// Attention on the device against the reference: encoder, causal and cross forms over packed
// sentences.
#include "tests/reference/attention.hpp"

#include "tests/kernels/bench.hpp"

namespace awend::tests {
namespace {

std::vector<std::uint32_t> words_of(const std::vector<reference::RowRange>& ranges) {
  std::vector<std::uint32_t> words;
  for (const auto& range : ranges) {
    words.push_back(static_cast<std::uint32_t>(range.begin));
    words.push_back(static_cast<std::uint32_t>(range.end));
  }
  return words;
}

/// The query rows that see each key row.
std::vector<reference::RowRange> partners(const std::vector<reference::RowRange>& keys,
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

struct Case {
  std::vector<reference::RowRange> keys;
  std::size_t key_rows;
  std::uint32_t heads, d_k, d_v;
  double dropout;
};

void check_attention(const Case& c) {
  const std::size_t query_rows = c.keys.size();
  CAPTURE(query_rows, c.key_rows, c.heads, c.d_k, c.d_v, c.dropout);
  const Matrix q = noise(query_rows, c.heads * c.d_k, 1), k = noise(c.key_rows, c.heads * c.d_k, 2);
  const Matrix v = noise(c.key_rows, c.heads * c.d_v, 3),
               dy = noise(query_rows, c.heads * c.d_v, 4);
  Bench bench;
  const auto queries = bench.program.count(static_cast<std::uint32_t>(query_rows + 5));
  const auto keys = bench.program.count(static_cast<std::uint32_t>(c.key_rows + 2));
  bench.set_rows(queries, query_rows);
  bench.set_rows(keys, c.key_rows);
  const auto qt = bench.given(queries, q), kt = bench.given(keys, k), vt = bench.given(keys, v);
  const nn::Sight sight{
      .keys_of_query = bench.given_words(queries, 2, words_of(c.keys)),
      .queries_of_key = bench.given_words(keys, 2, words_of(partners(c.keys, c.key_rows)))};
  const auto y =
      nn::attention(bench.graph, {qt, kt, vt}, sight, {c.heads, c.d_k, c.d_v, c.dropout});
  const auto seen = bench.observe(y);
  bench.seed_gradient(y, dy);
  bench.graph.derive_backward();
  const auto dq = bench.observe_gradient(qt), dk = bench.observe_gradient(kt),
             dv = bench.observe_gradient(vt);
  bench.run();

  const auto& scalars = bench.scalars();
  const reference::Attention oracle{
      .q = q,
      .k = k,
      .v = v,
      .keys = c.keys,
      .heads = c.heads,
      .dropout = {.probability = c.dropout,
                  .seed = scalars.seed_low | std::uint64_t{scalars.seed_high} << 32,
                  .site = 1,
                  .step = scalars.step}};
  const auto gradient = reference::attention_backward(oracle, dy);
  require_close(bench.read(seen, query_rows), reference::attention(oracle).y);
  require_close(bench.read(dq, query_rows), gradient.dq);
  require_close(bench.read(dk, c.key_rows), gradient.dk);
  require_close(bench.read(dv, c.key_rows), gradient.dv);
}

}  // namespace

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
