// Logits of the tokens that each row may have: a mask on all devices, and selection from lists on
// the processor.
#include "nn/listed_selection.hpp"
#include "tests/kernels/bench.hpp"
#include "tests/reference/loss.hpp"

namespace awend::tests {
namespace {

constexpr std::uint32_t kRows = 5, kVocabulary = 41, kColumns = 24;

/// Rows 1 and 2 share a list.
std::vector<std::vector<std::uint32_t>> lists() {
  return {{0, 1, 5, 40}, {2, 3, 31, 32, 33}, {2, 3, 31, 32, 33}, {7}, {4, 8, 12, 16, 20, 24, 28}};
}

/// ln p of the logits of a list.
std::vector<double> expected(const Matrix& logits, std::size_t row,
                             const std::vector<std::uint32_t>& list) {
  Matrix own(1, list.size());
  for (std::size_t i = 0; i < list.size(); ++i) own(0, i) = logits(row, list[i]);
  return reference::log_softmax(own).values;
}

}  // namespace

TEST_CASE("masked tokens have no probability") {
  Bench bench(nn::Mode::kInference);
  const auto rows = bench.program.count(kRows + 2);
  bench.set_rows(rows, kRows);
  const Matrix logits = noise(kRows, kVocabulary, 1);
  Matrix padded(kRows, 44);
  for (std::size_t row = 0; row < kRows; ++row)
    for (std::size_t c = 0; c < kVocabulary; ++c) padded(row, c) = logits(row, c);
  const auto all = lists();
  std::vector<std::uint32_t> bits((kRows + 2) * 2);
  for (std::size_t row = 0; row < kRows; ++row)
    for (const auto id : all[row]) bits[2 * row + id / 32] |= 1u << (id % 32);
  const nn::Logits given{bench.observe(bench.given(rows, padded)), kVocabulary};
  nn::restrict_tokens(bench.program, given, bench.given_words(rows, 2, bits));
  const std::vector<std::uint32_t> none(kRows + 2, NO_TOKEN);
  const auto best =
      nn::top_k(bench.program, given, 8,
                {.forced_id = bench.given_words(rows, 1, none), .adjustments = std::nullopt});
  bench.run();
  const auto ids = bench.program.host<std::uint32_t>(best.ids);
  const auto values = bench.program.host<float>(best.log_probabilities);
  for (std::size_t row = 0; row < kRows; ++row) {
    const auto& list = all[row];
    const auto log_p = expected(logits, row, list);
    for (std::size_t place = 0; place < 8; ++place) {
      const auto at = row * 8 + place;
      if (place >= list.size()) {
        REQUIRE_FALSE(nn::is_possible(values[at]));
        continue;
      }
      const auto found = std::ranges::find(list, ids[at]);
      REQUIRE(found != list.end());
      REQUIRE(values[at] ==
              Approx(log_p[static_cast<std::size_t>(found - list.begin())]).margin(1e-5));
    }
  }
}

TEST_CASE("tokens are selected from the lists of rows") {
  if (!engine().on_processor()) return;  // a mask restricts them on other devices
  Bench bench(nn::Mode::kInference);
  const auto table = bench.parameter(kVocabulary, kColumns), bias = bench.parameter(kVocabulary, 1);
  bench.allocate();
  const Matrix weights = noise(kVocabulary, kColumns, 2), biases = noise(kVocabulary, 1, 3),
               x = noise(kRows, kColumns, 4);
  bench.set(table, weights);
  bench.set(bias, biases);
  const auto rows = bench.program.count(kRows + 2);
  bench.set_rows(rows, kRows);
  const auto all = lists();
  nn::TokenLists views(all.begin(), all.end());
  views[2] = views[1];
  // In row 1, place 2 is forced; in row 4, place 3 is excluded, and place 1 is repeated.
  std::vector<std::uint32_t> forced(kRows + 2, NO_TOKEN), ranges(2 * (kRows + 2));
  forced[1] = 2;
  ranges[8] = 0;
  ranges[9] = 2;
  const std::vector<std::uint32_t> changes = {3, std::bit_cast<std::uint32_t>(-1e30f),
                                              1 | ADJUST_REPEATED,
                                              std::bit_cast<std::uint32_t>(2.f)};
  const auto best = nn::select_listed(
      bench.graph, bench.given(rows, x), {.table = table, .bias = bias, .masked_ids = {40}}, views,
      {.candidates = 3},
      {.forced_id = bench.given_words(rows, 1, forced),
       .adjustments =
           nn::Adjustments{.ranges = bench.given_words(rows, 2, ranges),
                           .changes = bench.given_words(bench.program.fixed(2), 2, changes)}});
  bench.run();
  const auto ids = bench.program.host<std::uint32_t>(best.ids);
  const auto values = bench.program.host<float>(best.log_probabilities);
  for (std::size_t row = 0; row < kRows; ++row) {
    CAPTURE(row);
    const auto& list = all[row];
    Matrix logits(1, kVocabulary);
    for (std::size_t id = 0; id < kVocabulary; ++id) {
      logits(0, id) = biases(id, 0);
      for (std::size_t k = 0; k < kColumns; ++k) logits(0, id) += x(row, k) * weights(id, k);
    }
    logits(0, 40) = -1e30;
    if (row == 4) {
      logits(0, list[3]) = -1e30;
      auto& repeated = logits(0, list[1]);
      repeated = repeated > 0 ? repeated / 2 : repeated * 2;
    }
    const auto log_p = expected(logits, 0, list);
    std::vector<std::uint32_t> order(list.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, std::greater(), [&](std::uint32_t i) { return log_p[i]; });
    if (row == 1) order = {2};
    for (std::size_t place = 0; place < 3; ++place) {
      const auto at = row * 3 + place;
      if (place >= order.size()) {
        REQUIRE(ids[at] == NO_TOKEN);
      } else if (log_p[order[place]] > -1e20) {
        REQUIRE(ids[at] == order[place]);
        REQUIRE(values[at] == Approx(log_p[order[place]]).margin(1e-5));
      }
    }
  }
}

}  // namespace awend::tests
