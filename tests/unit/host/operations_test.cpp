// The other functions on the CPU: sentences, steps of recurrent layers, and decoding.  The bytes
// depend neither on the instruction set nor on threads; the values are compared with the reference
// in tests/kernels.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "host/attention.hpp"
#include "host/decoding.hpp"
#include "host/embedding_bag.hpp"
#include "host/mean_rows.hpp"
#include "host/move_rows.hpp"
#include "host/recurrent.hpp"
#include "host/selection.hpp"
#include "host/ssru.hpp"
#include "host/step_attention.hpp"
#include "tests/unit/host/sets.hpp"

namespace awend::host {
namespace {

constexpr std::size_t kRows = 40;
constexpr std::size_t kWidths[] = {4, 12, 20, 36, 64};

std::vector<float> input(std::size_t columns, std::uint32_t seed) {
  return uniform_floats(kRows * columns, seed);
}

/// Ranges of kRows rows of 1 to 8 rows each.
std::vector<std::uint32_t> sentences() {
  std::vector<std::uint32_t> ranges;
  for (std::uint32_t first = 0, count = 1; first < kRows; first += count, count = count % 8 + 1) {
    ranges.push_back(first);
    ranges.push_back(std::min<std::uint32_t>(first + count, kRows));
  }
  return ranges;
}

std::vector<std::uint32_t> in_order() {
  std::vector<std::uint32_t> rows(kRows);
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

/// Row i has the keys [0, i]; the queries of key i are [i, kRows).
std::vector<std::uint32_t> triangle(std::uint32_t first, bool begins) {
  std::vector<std::uint32_t> ranges;
  for (std::uint32_t i = 0; i < kRows; ++i) {
    ranges.push_back(begins ? first : i);
    ranges.push_back(begins ? i + 1 : kRows);
  }
  return ranges;
}

std::vector<float> joined(const std::vector<std::vector<float>>& parts) {
  std::vector<float> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

TEST_CASE("means and SSRU: instruction sets give the same bytes") {
  const auto ranges = sentences();
  for (const std::size_t n : kWidths) {
    CAPTURE(n);
    const SentenceRows rows{ranges.size() / 2, n, ranges.data()};
    const auto x = input(n, 1), forget = input(n, 2), dy = input(n, 3);
    result_of_all([&](ThreadPool& pool) {
      auto mean = input(n, 4), dx = input(n, 5), y = input(n, 6), states = input(n, 7);
      auto dcandidate = input(n, 8), dforget = input(n, 9);
      mean_rows(pool, {rows, x.data(), mean.data()});
      mean_rows_backward(pool, {rows, Store::kAdd, mean.data(), dx.data()});
      ssru(pool, {rows, x.data(), forget.data(), nullptr, y.data(), states.data()});
      ssru_backward(pool, {rows, x.data(), forget.data(), states.data(), dy.data(),
                           dcandidate.data(), dforget.data()});
      return joined({mean, dx, y, states, dcandidate, dforget});
    });
  }
}

TEST_CASE("LSTM, GRU and input feeding: instruction sets give the same bytes") {
  const auto table = in_order();
  for (const std::size_t n : kWidths) {
    CAPTURE(n);
    const StepOfRows step{kRows, n, table.data()};
    const auto inputs = input(4 * n, 1), hidden = input(4 * n, 2), dy = input(n, 3);
    result_of_all([&](ThreadPool& pool) {
      auto h = input(n, 4), c = input(n, 5), y = input(n, 6), gates = input(4 * n, 7);
      auto h_before = input(n, 8), c_before = input(n, 9), dgates = input(4 * n, 10);
      auto of_step = dgates, dhidden = dgates, dhidden_of_step = dgates, dc = input(n, 11);
      lstm(pool, {step, inputs.data(), nullptr, hidden.data(), h.data(), c.data(), y.data(),
                  gates.data(), h_before.data(), c_before.data()});
      lstm_backward(pool, {step, gates.data(), c_before.data(), dy.data(), h.data(), dc.data(),
                           dgates.data(), of_step.data()});
      auto all = joined({h, c, y, gates, h_before, c_before, dc, dgates});
      gru(pool, {step, inputs.data(), nullptr, hidden.data(), h.data(), y.data(), gates.data(),
                 h_before.data(), c_before.data()});
      gru_backward(pool,
                   {step, gates.data(), h_before.data(), c_before.data(), dy.data(), dc.data(),
                    dgates.data(), dhidden.data(), of_step.data(), dhidden_of_step.data()});
      auto f = input(n, 12), dz = input(n, 13), dz_rows = dz;
      feed(pool, {step, hidden.data(), f.data(), y.data(), nullptr});
      feed_backward(pool, {step, y.data(), dy.data(), f.data(), dz.data(), dz_rows.data()});
      return joined({all, h, gates, dc, dgates, dhidden, f, dz});
    });
  }
}

TEST_CASE("attention of steps: instruction sets give the same bytes") {
  const auto table = in_order(), keys = triangle(0, true), queries = triangle(0, false);
  for (const auto score : {Score::kProduct, Score::kAdditive}) {
    for (const std::size_t n : kWidths) {
      CAPTURE(static_cast<int>(score), n);
      const StepOfRows step{kRows, n, table.data()};
      const Attended attended{.score = score, .columns = n, .value_columns = n, .stride = kRows};
      const auto q = input(n, 1), k = input(n, 2), values = input(n, 3), v = input(n, 4);
      const auto dcontexts = input(n, 5);
      result_of_all([&](ThreadPool& pool) {
        auto context = input(n, 6), contexts = context, kept = context;
        std::vector<float> weights(kRows * kRows), dscores(kRows * kRows);
        auto dq = input(n, 7), dqueries = dq, dk = dq, dv = dq, dvalues = dq;
        step_attention(pool,
                       {step, attended, keys.data(), q.data(), v.data(), k.data(), values.data(),
                        context.data(), contexts.data(), kept.data(), weights.data()});
        step_attention_backward(pool, {step, attended, keys.data(), kept.data(), v.data(), k.data(),
                                       values.data(), weights.data(), dcontexts.data(),
                                       dscores.data(), dq.data(), dqueries.data(), Store::kAdd});
        step_attention_keys(
            pool, {kRows, attended, queries.data(), keys.data(), kept.data(), v.data(), k.data(),
                   dscores.data(), dk.data(), dv.data(), Store::kWrite});
        step_attention_values(pool, {kRows, attended, queries.data(), keys.data(), weights.data(),
                                     dcontexts.data(), dvalues.data(), Store::kWrite});
        return joined({context, weights, dscores, dq, dk, dv, dvalues});
      });
    }
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
      cached_attention(pool, {kRows, kHeads, n, n, past.data(), ancestors.data(), q.data(),
                              k.data(), v.data(), y.data()});
      std::vector<float> sums(kRows * kHeads, 2), weights(kRows * kHeads * kRows);
      attention_weights(pool, {kRows, kHeads, n, kRows, past.data(), q.data(), k.data(),
                               sums.data(), weights.data()});
      return joined({y, weights});
    });
  }
}

TEST_CASE("bags and moved rows: instruction sets give the same bytes") {
  const auto bags = sentences();
  const auto ids = in_order();
  std::vector<std::uint32_t> bags_of_row, begins = in_order();
  begins.push_back(kRows);
  for (std::uint32_t bag = 0; bag < bags.size() / 2; ++bag) {
    for (std::uint32_t row = bags[2 * bag]; row < bags[2 * bag + 1]; ++row)
      bags_of_row.insert(bags_of_row.end(), {bag, bag + 1});
  }
  for (const std::size_t n : kWidths) {
    for (const auto weights : {BagWeights::kOne, BagWeights::kPosition}) {
      CAPTURE(n, static_cast<int>(weights));
      const auto table = input(n, 1);
      result_of_all([&](ThreadPool& pool) {
        auto y = input(n, 2), gradient = input(n, 3), moved = input(n, 4), dropped = input(n, 5);
        embedding_bag(
            pool, {bags.size() / 2, n, weights, ids.data(), bags.data(), table.data(), y.data()});
        embedding_bag_backward(pool, {kRows, n, weights, ids.data(), begins.data(), ids.data(),
                                      bags_of_row.data(), bags.data(), y.data(), gradient.data()});
        move_rows(pool, {kRows,
                         n,
                         ids.data(),
                         nullptr,
                         7,
                         table.data(),
                         {n, 0},
                         moved.data(),
                         {n, 0},
                         Store::kAdd});
        row_dropout(pool, {kRows,
                           n,
                           ids.data(),
                           {.seed_low = 1,
                            .seed_high = 2,
                            .step = 3,
                            .site = 4,
                            .threshold = 1U << 30,
                            .scale = 2},
                           nullptr,
                           table.data(),
                           dropped.data(),
                           Store::kWrite});
        return joined({y, gradient, moved, dropped});
      });
    }
  }
}

TEST_CASE("selection of tokens: instruction sets give the same bytes") {
  constexpr std::uint32_t kNone = 0xFFFFFFFF;
  for (const std::size_t columns : {8, 36, 516}) {
    CAPTURE(columns);
    const auto logits = input(columns, 1);
    const std::vector<std::uint32_t> forced(kRows, kNone);
    std::vector<std::uint32_t> keys(2 * kRows);
    std::iota(keys.begin(), keys.end(), 5U);
    const Distributions of{kRows, columns, columns - 3, logits.data()};
    result_of_all([&](ThreadPool& pool) {
      constexpr std::size_t kBest = 4;
      std::vector<std::uint32_t> ids(kBest * kRows), sampled(kRows);
      std::vector<float> best(kBest * kRows), sampled_logs(kRows);
      top_k(pool, {of, kBest, kNone, forced.data(), ids.data(), best.data()});
      auto linear = input(columns, 2), logarithmic = linear;
      mix(pool, {of, Mixing::kLinear, false, -0.5F, linear.data()});
      mix(pool, {of, Mixing::kLog, false, 0.5F, logarithmic.data()});
      sample(pool, {of, 9, 0.9F, 1.25F, kNone, forced.data(), keys.data(), sampled.data(),
                    sampled_logs.data()});
      ids.insert(ids.end(), sampled.begin(), sampled.end());
      return joined({best, sampled_logs, linear, logarithmic, {ids.begin(), ids.end()}});
    });
  }
}

}  // namespace
}  // namespace awend::host
