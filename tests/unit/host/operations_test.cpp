// The other functions on the CPU: sentences, steps of recurrent layers, and the choice of tokens.
// The bytes depend neither on the instruction set nor on threads; the values are compared with the
// reference in tests/kernels.
#include <algorithm>
#include <bit>
#include <cmath>

#include "shaders/lib/tokens.h"
#include "shaders/op_embedding_bag.h"
#include "shaders/op_embedding_bag_backward.h"
#include "shaders/op_feed.h"
#include "shaders/op_gru.h"
#include "shaders/op_lstm.h"
#include "shaders/op_mean_rows.h"
#include "shaders/op_mixture.h"
#include "shaders/op_move_rows.h"
#include "shaders/op_row_dropout.h"
#include "shaders/op_sample.h"
#include "shaders/op_span_loss.h"
#include "shaders/op_ssru.h"
#include "shaders/op_top_k.h"
#include "tests/unit/host/sentences.hpp"

namespace awend::host {
namespace {

TEST_CASE("the loss of spans: instruction sets give the same bytes") {
  const auto ranges = sentences();
  std::vector<std::uint32_t> targets;
  for (std::size_t s = 0; s < ranges.size(); s += 2)
    targets.insert(targets.end(), {ranges[s], ranges[s + 1] - 1});
  StepScalars step{};
  step.loss_scale = 0.5F;
  for (const std::uint32_t gradient : {0U, 1U}) {
    result_of_all([&](ThreadPool& pool) {
      auto logits = input(4, 1);
      std::vector<float> losses(ranges.size());
      span_loss(pool, {.step = &step,
                       .ranges = ranges.data(),
                       .targets = targets.data(),
                       .logits = logits.data(),
                       .losses = losses.data(),
                       .gradient = gradient,
                       .sentences_count = RowCount(ranges.size() / 2)});
      return joined({logits, losses});
    });
  }
}

TEST_CASE("means and SSRU: instruction sets give the same bytes") {
  const auto ranges = sentences();
  for (const std::size_t n : kWidths) {
    CAPTURE(n);
    const RowCount count(ranges.size() / 2);
    const auto x = input(n, 1), forget = input(n, 2), dy = input(n, 3);
    result_of_all([&](ThreadPool& pool) {
      auto mean = input(n, 4), dx = input(n, 5), y = input(n, 6), states = input(n, 7);
      auto dcandidate = input(n, 8), dforget = input(n, 9);
      mean_rows(pool, {.ranges = ranges.data(),
                       .x = x.data(),
                       .y = mean.data(),
                       .columns = n,
                       .sentences_count = count});
      mean_rows_backward(pool, {.ranges = ranges.data(),
                                .dy = mean.data(),
                                .dx = dx.data(),
                                .columns = n,
                                .add = 1,
                                .sentences_count = count});
      auto total = input(n, 10), copies = input(n, 11);
      mean_rows(pool, {.ranges = ranges.data(),
                       .x = x.data(),
                       .y = total.data(),
                       .columns = n,
                       .sum = 1,
                       .add = 1,
                       .sentences_count = count});
      mean_rows_backward(pool, {.ranges = ranges.data(),
                                .dy = total.data(),
                                .dx = copies.data(),
                                .columns = n,
                                .sum = 1,
                                .sentences_count = count});
      ssru(pool, {.ranges = ranges.data(),
                  .candidate = x.data(),
                  .forget = forget.data(),
                  .y = y.data(),
                  .states = states.data(),
                  .columns = n,
                  .keep = 1,
                  .sentences_count = count});
      ssru_backward(pool, {.ranges = ranges.data(),
                           .candidate = x.data(),
                           .forget = forget.data(),
                           .states = states.data(),
                           .dy = dy.data(),
                           .dcandidate = dcandidate.data(),
                           .dforget = dforget.data(),
                           .columns = n,
                           .sentences_count = count});
      return joined({mean, dx, total, copies, y, states, dcandidate, dforget});
    });
  }
}

TEST_CASE("LSTM, GRU and input feeding: instruction sets give the same bytes") {
  const auto table = in_order();
  for (const std::size_t n : kWidths) {
    CAPTURE(n);
    const RowCount count(kRows);
    const auto inputs = input(4 * n, 1), hidden = input(4 * n, 2), dy = input(n, 3);
    result_of_all([&](ThreadPool& pool) {
      auto h = input(n, 4), c = input(n, 5), y = input(n, 6), gates = input(4 * n, 7);
      auto h_before = input(n, 8), c_before = input(n, 9), dgates = input(4 * n, 10);
      auto of_step = dgates, dhidden = dgates, dhidden_of_step = dgates, dc = input(n, 11);
      // The kept gates take the place of the products of the inputs.
      gates = inputs;
      lstm(pool, {.table = table.data(),
                  .hidden = hidden.data(),
                  .gates = gates.data(),
                  .h = h.data(),
                  .c = c.data(),
                  .y = y.data(),
                  .h_before = h_before.data(),
                  .c_before = c_before.data(),
                  .columns = n,
                  .has_inputs = 1,
                  .keep = 1,
                  .rows_count = count});
      lstm_backward(pool, {.table = table.data(),
                           .gates = gates.data(),
                           .c_before = c_before.data(),
                           .dy = dy.data(),
                           .dh = h.data(),
                           .dc = dc.data(),
                           .dgates = dgates.data(),
                           .dgates_of_step = of_step.data(),
                           .columns = n,
                           .has_dy = 1,
                           .rows_count = count});
      auto all = joined({h, c, y, gates, h_before, c_before, dc, dgates});
      // The GRU reads and writes three quarters of the gates.
      std::copy_n(inputs.begin(), kRows * 3 * n, gates.begin());
      gru(pool, {.table = table.data(),
                 .hidden = hidden.data(),
                 .gates = gates.data(),
                 .h = h.data(),
                 .y = y.data(),
                 .h_before = h_before.data(),
                 .candidate = c_before.data(),
                 .columns = n,
                 .has_inputs = 1,
                 .keep = 1,
                 .rows_count = count});
      gru_backward(pool, {.table = table.data(),
                          .gates = gates.data(),
                          .h_before = h_before.data(),
                          .candidate = c_before.data(),
                          .dy = dy.data(),
                          .dh = dc.data(),
                          .dgates = dgates.data(),
                          .dhidden = dhidden.data(),
                          .dgates_of_step = of_step.data(),
                          .dhidden_of_step = dhidden_of_step.data(),
                          .columns = n,
                          .has_dy = 1,
                          .rows_count = count});
      auto f = input(n, 12), dz = input(n, 13), dz_rows = dz;
      feed(pool, {.table = table.data(),
                  .z = hidden.data(),
                  .f = f.data(),
                  .y = y.data(),
                  .columns = n,
                  .rows_count = count});
      feed_backward(pool, {.table = table.data(),
                           .y = y.data(),
                           .dy = dy.data(),
                           .df = f.data(),
                           .dz = dz.data(),
                           .dz_rows = dz_rows.data(),
                           .columns = n,
                           .has_dy = 1,
                           .rows_count = count});
      return joined({all, h, gates, dc, dgates, dhidden, f, dz});
    });
  }
}

TEST_CASE("bags and moved rows: instruction sets give the same bytes") {
  const auto bags = sentences();
  const auto ids = in_order();
  auto rows_but_one = ids;
  rows_but_one[7] = NO_TOKEN;
  std::vector<std::uint32_t> bags_of_row, begins = in_order();
  begins.push_back(kRows);
  for (std::uint32_t bag = 0; bag < bags.size() / 2; ++bag) {
    for (std::uint32_t row = bags[2 * bag]; row < bags[2 * bag + 1]; ++row)
      bags_of_row.insert(bags_of_row.end(), {bag, bag + 1});
  }
  for (const std::size_t n : kWidths) {
    for (const std::size_t weights : {BAG_ONE, BAG_POSITION}) {
      CAPTURE(n, weights);
      const auto table = input(n, 1);
      const StepScalars scalars = some_scalars();
      result_of_all([&](ThreadPool& pool) {
        auto y = input(n, 2), gradient = input(n, 3), moved = input(n, 4), dropped = input(n, 5);
        embedding_bag(pool, {.ids = ids.data(),
                             .rows_of_bag = bags.data(),
                             .table = table.data(),
                             .y = y.data(),
                             .columns = n,
                             .weights = weights,
                             .bags_count = RowCount(bags.size() / 2)});
        embedding_bag_backward(pool, {.segment_ids = ids.data(),
                                      .segment_begins = begins.data(),
                                      .sorted_rows = ids.data(),
                                      .bags_of_row = bags_of_row.data(),
                                      .rows_of_bag = bags.data(),
                                      .dy = y.data(),
                                      .gradient = gradient.data(),
                                      .columns = n,
                                      .weights = weights,
                                      .segments_count = RowCount(kRows)});
        move_rows(pool, {.table = rows_but_one.data(),
                         .x = table.data(),
                         .y = moved.data(),
                         .width = n,
                         .x_columns = n,
                         .y_columns = n,
                         .gather = 1,
                         .add = 1,
                         .rows_count = RowCount(kRows)});
        row_dropout(pool, {.step = &scalars,
                           .masks = ids.data(),
                           .a = table.data(),
                           .y = dropped.data(),
                           .columns = n,
                           .rows_count = RowCount(kRows),
                           .dropout_id = kDropoutId,
                           .threshold = kThreshold,
                           .scale = kScale});
        return joined({y, gradient, moved, dropped});
      });
    }
  }
}

TEST_CASE("selection of tokens: instruction sets give the same bytes") {
  for (const std::size_t columns : {8, 36, 516}) {
    CAPTURE(columns);
    const auto logits = input(columns, 1);
    const std::vector<std::uint32_t> forced(kRows, NO_TOKEN);
    std::vector<std::uint32_t> keys(2 * kRows);
    std::iota(keys.begin(), keys.end(), 5U);
    const RowCount count(kRows);
    const std::size_t vocabulary = columns - 3;
    result_of_all([&](ThreadPool& pool) {
      constexpr std::size_t kBest = 4;
      std::vector<std::uint32_t> ids(kBest * kRows), sampled(kRows);
      std::vector<float> best(kBest * kRows), sampled_logs(kRows);
      top_k(pool, {.forced_id = forced.data(),
                   .logits = logits.data(),
                   .ids = ids.data(),
                   .log_probabilities = best.data(),
                   .columns = columns,
                   .k = kBest,
                   .rows_count = count,
                   .vocabulary = vocabulary});
      auto linear = input(columns, 2), logarithmic = linear;
      mixture(pool, {.logits = logits.data(),
                     .mixture = linear.data(),
                     .columns = columns,
                     .linear = 1,
                     .rows_count = count,
                     .vocabulary = vocabulary,
                     .weight = -0.5F});
      mixture(pool, {.logits = logits.data(),
                     .mixture = logarithmic.data(),
                     .columns = columns,
                     .rows_count = count,
                     .vocabulary = vocabulary,
                     .weight = 0.5F});
      sample(pool, {.forced_id = forced.data(),
                    .keys = keys.data(),
                    .logits = logits.data(),
                    .ids = sampled.data(),
                    .log_probabilities = sampled_logs.data(),
                    .columns = columns,
                    .rows_count = count,
                    .vocabulary = vocabulary,
                    .top_k = 9,
                    .top_p = 0.9F,
                    .inverse_temperature = 1.25F});
      ids.insert(ids.end(), sampled.begin(), sampled.end());
      return joined({best, sampled_logs, linear, logarithmic, {ids.begin(), ids.end()}});
    });
  }
}

TEST_CASE("log-probabilities of a row with any NaN are NaN") {
  constexpr std::size_t kColumns = 36, kVocabulary = 33;
  for (const std::uint32_t bits : {0x7fc00000U, 0x7fffffffU, 0xffffffffU, 0xff800001U}) {
    for (const std::size_t at : {0, 8, 32}) {
      CAPTURE(bits, at);
      auto logits = input(kColumns, 1);
      for (std::size_t row = 0; row < kRows; ++row)
        logits[row * kColumns + at] = std::bit_cast<float>(bits);
      const std::vector<std::uint32_t> forced(kRows, NO_TOKEN);
      for (const auto set : instruction_sets()) {
        CAPTURE(set);
        use_instruction_set(set);
        ThreadPool pool(1);
        std::vector<std::uint32_t> ids(2 * kRows);
        std::vector<float> values(2 * kRows);
        top_k(pool, {.forced_id = forced.data(),
                     .logits = logits.data(),
                     .ids = ids.data(),
                     .log_probabilities = values.data(),
                     .columns = kColumns,
                     .k = 2,
                     .rows_count = RowCount(kRows),
                     .vocabulary = kVocabulary});
        REQUIRE(std::ranges::all_of(values, [](float value) { return std::isnan(value); }));
      }
    }
  }
  use_instruction_set("");
}

}  // namespace
}  // namespace awend::host
