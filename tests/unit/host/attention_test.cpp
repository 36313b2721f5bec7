// Attention on the CPU: the bytes of a row depend only on its sentence.  The values are compared
// with the reference in tests/kernels/attention_test.cpp.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "shaders/op_attention.h"
#include "shaders/op_attention_backward.h"
#include "tests/unit/host/sets.hpp"

namespace awend::host {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr std::size_t kHeads = 3;

enum class Kind { kEncoder, kDecoder, kCross };

struct Widths {
  std::size_t d_k, d_v;
};

/// Sentences one after the other.
struct Sentences {
  std::vector<std::size_t> queries;
  std::vector<std::size_t> keys;
  Kind kind;
  std::size_t window = 0;  ///< Keys on each side of a query, which is also a key; 0: all.
};

struct Batch {
  std::size_t queries = 0, keys = 0;
  std::vector<std::uint32_t> keys_of_query, queries_of_key;
};

Batch batch_of(const Sentences& sentences) {
  Batch batch;
  const auto add = [](std::vector<std::uint32_t>& ranges, std::size_t begin, std::size_t end) {
    ranges.push_back(static_cast<std::uint32_t>(begin));
    ranges.push_back(static_cast<std::uint32_t>(end));
  };
  const bool is_causal = sentences.kind == Kind::kDecoder;
  const auto add_window = [&](std::vector<std::uint32_t>& ranges, std::size_t row,
                              std::size_t begin, std::size_t end) {
    if (sentences.window == 0) return add(ranges, begin, end);
    const std::size_t window = sentences.window;
    add(ranges, std::max(begin, row - std::min(row, window)), std::min(end, row + window + 1));
  };
  for (std::size_t i = 0; i < sentences.queries.size(); ++i) {
    const std::size_t queries = sentences.queries[i], keys = sentences.keys[i];
    for (std::size_t j = 0; j < queries; ++j)
      add_window(batch.keys_of_query, batch.queries + j, batch.keys,
                 batch.keys + (is_causal ? j + 1 : keys));
    for (std::size_t j = 0; j < keys; ++j)
      add_window(batch.queries_of_key, batch.keys + j, batch.queries + (is_causal ? j : 0),
                 batch.queries + queries);
    batch.queries += queries;
    batch.keys += keys;
  }
  return batch;
}

/// Rows [begin, end) of one kind in a larger batch.
struct Rows {
  std::size_t begin, end;
};

/// A matrix of queries or keys, row by row.
using Matrix = std::vector<float>;

/// y, log_sum_exp, deltas and dq of queries, and dk and dv of keys.
struct Results {
  std::vector<Matrix> of_queries;
  std::vector<Matrix> of_keys;
};

std::vector<float> joined_results(const Results& results) {
  std::vector<float> all;
  for (const auto* matrices : {&results.of_queries, &results.of_keys})
    for (const Matrix& matrix : *matrices) all.insert(all.end(), matrix.begin(), matrix.end());
  return all;
}

/// Attention of the sentences with the rows `queries` and `keys` of the largest batch.
Results attend(ThreadPool& pool, const Sentences& sentences, Widths widths, Rows queries,
               Rows keys) {
  const auto [d_k, d_v] = widths;
  const Batch batch = batch_of(sentences);
  const auto part = [](std::size_t width, Rows rows, std::uint32_t seed) {
    const auto all = uniform_floats(2000 * kHeads * width, seed);
    const auto* const begin = all.data() + rows.begin * kHeads * width;
    return std::vector(begin, begin + (rows.end - rows.begin) * kHeads * width);
  };
  const auto q = part(d_k, queries, 1), k = part(d_k, keys, 2), v = part(d_v, keys, 3);
  const auto dy = part(d_v, queries, 4);
  const auto made = [](std::size_t rows, std::size_t width) {
    return std::vector(rows * kHeads * width, kNaN);
  };
  auto y = made(batch.queries, d_v), log_sum_exp = made(batch.queries, 1);
  auto deltas = made(batch.queries, 1), dq = made(batch.queries, d_k);
  auto dk = made(batch.keys, d_k), dv = made(batch.keys, d_v);
  const StepScalars scalars = some_scalars();
  const RowCount query_count(batch.queries, static_cast<std::uint32_t>(queries.begin));
  const RowCount key_count(batch.keys, static_cast<std::uint32_t>(keys.begin));
  attention(pool, {.step = &scalars,
                   .key_ranges = batch.keys_of_query.data(),
                   .q = q.data(),
                   .k = k.data(),
                   .v = v.data(),
                   .y = y.data(),
                   .log_sum_exp = log_sum_exp.data(),
                   .heads = kHeads,
                   .d_k = d_k,
                   .d_v = d_v,
                   .drops = 1,
                   .rows_count = query_count,
                   .other_rows_count = key_count,
                   .dropout_id = kDropoutId,
                   .threshold = kThreshold,
                   .scale = kScale});
  attention_backward_query(pool, {.step = &scalars,
                                  .ranges = batch.keys_of_query.data(),
                                  .q = q.data(),
                                  .k = k.data(),
                                  .v = v.data(),
                                  .dy = dy.data(),
                                  .log_sum_exp = log_sum_exp.data(),
                                  .y = y.data(),
                                  .deltas = deltas.data(),
                                  .dq = dq.data(),
                                  .heads = kHeads,
                                  .d_k = d_k,
                                  .d_v = d_v,
                                  .drops = 1,
                                  .rows_count = query_count,
                                  .other_rows_count = key_count,
                                  .dropout_id = kDropoutId,
                                  .threshold = kThreshold,
                                  .scale = kScale});
  attention_backward_key(pool, {.step = &scalars,
                                .ranges = batch.queries_of_key.data(),
                                .q = q.data(),
                                .k = k.data(),
                                .v = v.data(),
                                .dy = dy.data(),
                                .log_sum_exp = log_sum_exp.data(),
                                .deltas = deltas.data(),
                                .dk = dk.data(),
                                .dv = dv.data(),
                                .heads = kHeads,
                                .d_k = d_k,
                                .d_v = d_v,
                                .drops = 1,
                                .rows_count = key_count,
                                .other_rows_count = query_count,
                                .dropout_id = kDropoutId,
                                .threshold = kThreshold,
                                .scale = kScale});
  const Results results{.of_queries = {y, log_sum_exp, deltas, dq}, .of_keys = {dk, dv}};
  const auto all = joined_results(results);
  REQUIRE(std::none_of(all.begin(), all.end(), [](float value) { return std::isnan(value); }));
  return results;
}

struct Form {
  Kind kind;
  std::size_t window = 0;
};

const Form kForms[] = {{Kind::kEncoder},     {Kind::kDecoder},     {Kind::kCross},
                       {Kind::kEncoder, 1},  {Kind::kDecoder, 1},  {Kind::kEncoder, 9},
                       {Kind::kDecoder, 40}, {Kind::kEncoder, 300}};

Sentences sentences_of(const Form& form) {
  const auto [kind, window] = form;
  Sentences sentences{
      .queries = {1, 3, 17, 25, 70, 300, 4}, .keys = {}, .kind = kind, .window = window};
  sentences.keys = sentences.queries;
  if (kind == Kind::kCross) sentences.keys = {5, 1, 33, 16, 300, 64, 2};
  return sentences;
}

const Widths kWidthsOfHeads[] = {{4, 12}, {20, 8}, {32, 32}, {64, 48}};

TEST_CASE("attention: threads and instruction sets give the same bytes") {
  for (const auto& form : kForms) {
    for (const Widths widths : kWidthsOfHeads) {
      const Sentences sentences = sentences_of(form);
      const Batch batch = batch_of(sentences);
      CAPTURE(static_cast<int>(form.kind), form.window, widths.d_k, widths.d_v);
      result_of_all([&](ThreadPool& pool) {
        return joined_results(attend(pool, sentences, widths, {0, batch.queries}, {0, batch.keys}));
      });
    }
  }
}

/// Whether each of `parts` has the bytes of these rows of the matrix of all `total` rows.
bool are_rows(const std::vector<Matrix>& parts, const std::vector<Matrix>& all, Rows rows,
              std::size_t total) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t width = all[i].size() / total;
    const auto* const begin = all[i].data() + rows.begin * width;
    if (!same_bits(parts[i], {begin, all[i].data() + rows.end * width})) return false;
  }
  return true;
}

TEST_CASE("attention: a sentence has the same bytes without the others") {
  ThreadPool pool(2);
  for (const auto& form : kForms) {
    for (const Widths widths : kWidthsOfHeads) {
      const Sentences all = sentences_of(form);
      const Batch batch = batch_of(all);
      const Results expected = attend(pool, all, widths, {0, batch.queries}, {0, batch.keys});
      Rows queries{0, 0}, keys{0, 0};
      for (std::size_t i = 0; i < all.queries.size(); ++i) {
        CAPTURE(static_cast<int>(form.kind), form.window, widths.d_k, widths.d_v, i);
        queries = {queries.end, queries.end + all.queries[i]};
        keys = {keys.end, keys.end + all.keys[i]};
        const Sentences one{.queries = {all.queries[i]},
                            .keys = {all.keys[i]},
                            .kind = form.kind,
                            .window = form.window};
        const Results results = attend(pool, one, widths, queries, keys);
        REQUIRE(are_rows(results.of_queries, expected.of_queries, queries, batch.queries));
        REQUIRE(are_rows(results.of_keys, expected.of_keys, keys, batch.keys));
      }
    }
  }
}

TEST_CASE("attention: a query has the same bytes without those after it") {
  ThreadPool pool(2);
  for (const auto& [kind, window] : {Form{Kind::kDecoder}, Form{Kind::kCross},
                                     Form{Kind::kDecoder, 1}, Form{Kind::kDecoder, 20}}) {
    const std::size_t keys = 90;
    const Sentences all{.queries = {90}, .keys = {keys}, .kind = kind, .window = window};
    const Results expected = attend(pool, all, {32, 32}, {0, 90}, {0, keys});
    for (const std::size_t queries : {1, 2, 7, 8, 9, 31, 64, 65, 89}) {
      CAPTURE(static_cast<int>(kind), window, queries);
      const Sentences part{.queries = {queries},
                           .keys = {kind == Kind::kDecoder ? queries : keys},
                           .kind = kind,
                           .window = window};
      const Results results = attend(pool, part, {32, 32}, {0, queries}, {0, part.keys.front()});
      REQUIRE(are_rows(results.of_queries, expected.of_queries, {0, queries}, 90));
    }
  }
}

TEST_CASE("attention: a row that attends to none is 0") {
  ThreadPool pool(1);
  const std::vector<std::uint32_t> ranges = {0, 0, 0, 2, 2, 2, 5, 5};
  const auto q = uniform_floats(16, 1), k = uniform_floats(8, 2), v = uniform_floats(8, 3);
  std::vector<float> y(16, kNaN), log_sum_exp(4, kNaN);
  const RowCount query_count(4), key_count(2);
  attention(pool, {.key_ranges = ranges.data(),
                   .q = q.data(),
                   .k = k.data(),
                   .v = v.data(),
                   .y = y.data(),
                   .log_sum_exp = log_sum_exp.data(),
                   .heads = 1,
                   .d_k = 4,
                   .d_v = 4,
                   .rows_count = query_count,
                   .other_rows_count = key_count});
  const auto dy = uniform_floats(16, 4);
  std::vector<float> deltas(4, kNaN), dq(16, kNaN);
  attention_backward_query(pool, {.ranges = ranges.data(),
                                  .q = q.data(),
                                  .k = k.data(),
                                  .v = v.data(),
                                  .dy = dy.data(),
                                  .log_sum_exp = log_sum_exp.data(),
                                  .y = y.data(),
                                  .deltas = deltas.data(),
                                  .dq = dq.data(),
                                  .heads = 1,
                                  .d_k = 4,
                                  .d_v = 4,
                                  .rows_count = query_count,
                                  .other_rows_count = key_count});
  for (const std::size_t row : {0, 2, 3}) {
    REQUIRE(log_sum_exp[row] == -std::numeric_limits<float>::infinity());
    for (std::size_t i = 0; i < 4; ++i) {
      REQUIRE(y[4 * row + i] == 0);
      REQUIRE(dq[4 * row + i] == 0);
    }
  }
  REQUIRE(std::isfinite(log_sum_exp[1]));
  REQUIRE(y[4] != 0);
}

}  // namespace
}  // namespace awend::host
