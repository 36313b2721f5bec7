// Attention with biases by relative positions on the device compared with the reference, over
// packed sentences, forward, backward, cached, and its weights.
#include <bit>

#include "nn/attention/biased.hpp"
#include "nn/decoding.hpp"
#include "tests/kernels/attention_stage.hpp"

namespace awend::tests {
namespace {

constexpr std::uint32_t kBuckets = 12, kMaxDistance = 9;

/// Any function of the position, with buckets of one and of several positions.
std::vector<std::size_t> bucket_numbers() {
  std::vector<std::size_t> buckets;
  for (std::uint32_t i = 0; i <= 2 * kMaxDistance; ++i)
    buckets.push_back(i < 5 ? 3 : (i * 7) % kBuckets);
  return buckets;
}

nn::RelativeBias bias_of(Bench& bench, const nn::Parameter& table) {
  std::vector<float> bits;
  for (const std::size_t bucket : bucket_numbers())
    bits.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bucket)));
  return {.table = table, .buckets = bench.program.constant(1, std::move(bits))};
}

struct RelativeCase {
  std::vector<reference::RowRange> keys;
  std::uint32_t heads, d_k, d_v;
  double dropout;
  std::uint32_t step = 0;  ///< Rows of a launch.
};

/// Returns the gradient of the table.
Matrix check_relative(const RelativeCase& c) {
  const std::size_t rows = c.keys.size();
  CAPTURE(rows, c.heads, c.d_k, c.d_v, c.dropout, c.step);
  const Matrix q = noise(rows, c.heads * c.d_k, 1), k = noise(rows, c.heads * c.d_k, 2),
               v = noise(rows, c.heads * c.d_v, 3), dy = noise(rows, c.heads * c.d_v, 4),
               table = noise(kBuckets, c.heads, 5);
  Bench bench;
  const auto parameter = bench.parameter(kBuckets * c.heads, 1);
  bench.allocate();
  bench.set(parameter, table);
  const auto count = bench.program.count(static_cast<std::uint32_t>(rows + 5));
  bench.set_rows(count, rows);
  const auto qt = bench.given(count, q), kt = bench.given(count, k), vt = bench.given(count, v);
  const nn::AttentionRanges ranges{
      .keys_of_query = bench.given_words(count, 2, words_of(c.keys)),
      .queries_of_key = bench.given_words(count, 2, words_of(queries_of(c.keys, rows)))};
  const auto bias = bias_of(bench, parameter);
  const nn::AttentionShape shape{c.heads, c.d_k, c.d_v, c.dropout, bias};
  const auto y = c.step == 0 ? nn::attention(bench.graph, {qt, kt, vt}, ranges, shape)
                             : nn::attention_by(nn::biased_attention_kernels(bench.graph, bias),
                                                bench.graph, {qt, kt, vt}, ranges, shape, c.step);
  const auto output = bench.observe(y);
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
                  .dropout_id = 1,
                  .step = scalars.step},
      .bias = {.table = table, .buckets = bucket_numbers()}};
  const auto gradient = reference::attention_backward(oracle, dy);
  require_close(bench.read(output, rows), reference::attention(oracle).y);
  require_close(bench.read(dq, rows), gradient.dq);
  require_close(bench.read(dk, rows), gradient.dk);
  require_close(bench.read(dv, rows), gradient.dv);
  Matrix dtable = bench.gradient_of(parameter);
  dtable.rows = kBuckets;
  dtable.columns = c.heads;
  if (rows > 1) {
    require_close(dtable, gradient.dbias);
  } else {
    // The only weight is 1 whatever its score is: a difference of numbers of about 1 remains.
    for (const double value : dtable.values) REQUIRE(std::abs(value) < 1e-6);
  }
  return dtable;
}

}  // namespace

TEST_CASE("attention with relative positions and its gradients equal the reference",
          "[attention]") {
  const std::vector<std::size_t> sentences = {0, 1, 10, 27, 30, 75};
  check_relative({reference::sentence_ranges(sentences), 2, 8, 8, 0});
  check_relative({reference::causal_ranges(sentences), 3, 4, 36, 0});
  check_relative({reference::causal_ranges(sentences), 1, 40, 4, 0.3});
  check_relative(
      {reference::window_ranges(reference::sentence_ranges(sentences), 4), 2, 8, 12, 0.2});
  check_relative({reference::sentence_ranges({0, 1}), 1, 4, 4, 0});
  // More rows than the processor takes at once.
  check_relative({reference::sentence_ranges({0, 5, 305}), 2, 8, 8, 0.1});
}

TEST_CASE("attention with relative positions has the same bits however launches are divided",
          "[attention]") {
  const auto keys = reference::causal_ranges({0, 30, 31, 100, 150});
  const Matrix whole = check_relative({keys, 2, 8, 8, 0.2});
  CHECK(check_relative({keys, 2, 8, 8, 0.2, 64}).values == whole.values);
}

TEST_CASE("cached attention with relative positions equals the reference") {
  // Row r has r + 1 keys, in cache rows of any order.
  constexpr std::size_t kRows = 23;
  constexpr std::uint32_t kHeads = 3, kDk = 8, kDv = 12;
  const Matrix q = noise(kRows, kHeads * kDk, 1), k = noise(kRows, kHeads * kDk, 2),
               v = noise(kRows, kHeads * kDv, 3), table = noise(kBuckets, kHeads, 5);
  Bench bench(nn::Mode::kInference);
  const auto parameter = bench.parameter(kBuckets * kHeads, 1);
  bench.allocate();
  bench.set(parameter, table);
  const auto rows = bench.program.count(kRows + 2);
  bench.set_rows(rows, kRows);
  Matrix cached_k(kRows, k.columns), cached_v(kRows, v.columns);
  const auto place = [](std::size_t row) { return row * 7 % kRows; };
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t c = 0; c < k.columns; ++c) cached_k(place(row), c) = k(row, c);
    for (std::size_t c = 0; c < v.columns; ++c) cached_v(place(row), c) = v(row, c);
  }
  std::vector<std::uint32_t> ancestors, ranges;
  for (std::size_t row = 0; row < kRows; ++row) {
    ranges.push_back(static_cast<std::uint32_t>(ancestors.size()));
    for (std::size_t key = 0; key <= row; ++key)
      ancestors.push_back(static_cast<std::uint32_t>(place(key)));
    ranges.push_back(static_cast<std::uint32_t>(ancestors.size()));
  }
  const auto entries = bench.program.fixed(static_cast<std::uint32_t>(ancestors.size()));
  const auto cache = bench.program.fixed(kRows);
  const auto y = nn::cached_attention(
      bench.graph,
      {bench.given(rows, q), bench.given(cache, cached_k), bench.given(cache, cached_v)},
      {.table = bench.given_words(entries, 1, ancestors),
       .ranges = bench.given_words(rows, 2, ranges)},
      {kHeads, kDk, kDv, 0, bias_of(bench, parameter)});
  const auto output = bench.observe(y);
  bench.run();
  const auto expected =
      reference::attention({.q = q,
                            .k = k,
                            .v = v,
                            .keys = reference::causal_ranges({0, kRows}),
                            .heads = kHeads,
                            .dropout = {},
                            .bias = {.table = table, .buckets = bucket_numbers()}});
  require_close(bench.read(output, kRows), expected.y);
}

TEST_CASE("the weights of attention with relative positions equal the reference", "[attention]") {
  const auto keys = reference::sentence_ranges({0, 1, 10, 27});
  constexpr std::uint32_t kHeads = 3, kWidth = 12, kMaxKeys = 20, kRows = 27;
  const Matrix q = noise(kRows, kHeads * kWidth, 1), k = noise(kRows, kHeads * kWidth, 2),
               table = noise(kBuckets, kHeads, 5);
  Bench bench(nn::Mode::kInference);
  const auto parameter = bench.parameter(kBuckets * kHeads, 1);
  bench.allocate();
  bench.set(parameter, table);
  const auto rows = bench.program.count(kRows + 3);
  bench.set_rows(rows, kRows);
  const auto qt = bench.given(rows, q), kt = bench.given(rows, k);
  const auto ranges = bench.given_words(rows, 2, words_of(keys));
  nn::Tensor weights;
  bench.graph.on_attention([&](const nn::AttentionRecord& record) {
    weights = nn::attention_weights(bench.graph, record, kMaxKeys);
  });
  bench.observe(nn::attention(bench.graph, {qt, kt, kt}, {ranges, ranges},
                              {kHeads, kWidth, kWidth, 0, bias_of(bench, parameter)}));
  bench.run();
  const auto output = bench.program.host<float>(weights);
  const reference::Attention oracle{.q = q,
                                    .k = k,
                                    .v = k,
                                    .keys = keys,
                                    .heads = kHeads,
                                    .dropout = {},
                                    .bias = {.table = table, .buckets = bucket_numbers()}};
  const auto log_sums = reference::attention_log_sum_exp(oracle);
  for (std::size_t row = 0; row < kRows; ++row) {
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
