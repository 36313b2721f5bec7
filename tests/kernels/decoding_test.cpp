// Operations of one decoding step on the device compared with the reference: cache, ancestors, most
// probable tokens.
#include "nn/decoding.hpp"

#include <bit>
#include <limits>

#include "tests/kernels/bench.hpp"
#include "tests/reference/attention.hpp"
#include "tests/reference/loss.hpp"
#include "tests/reference/matmul.hpp"

namespace awend::tests {
namespace {

struct TopCase {
  std::size_t rows, vocabulary;
  std::uint32_t k;
};

/// Constraints that constrain nothing.
nn::TokenConstraints nothing_else(Bench& bench, const nn::Count& rows) {
  const std::vector<std::uint32_t> none(rows.capacity, NO_TOKEN);
  return {.forced_id = bench.given_words(rows, 1, none), .adjustments = std::nullopt};
}

nn::TopK best_of(Bench& bench, const nn::Tensor& x, const nn::Parameter& table, std::uint32_t k,
                 const nn::TokenConstraints& constraints) {
  return nn::top_k(bench.program, nn::token_logits(bench.graph, x, table), k, constraints);
}

void check_top_k(const TopCase& c) {
  CAPTURE(c.rows, c.vocabulary, c.k);
  const Matrix x = noise(c.rows, 8, 1), table = noise(c.vocabulary, 8, 2);
  Bench bench(nn::Mode::kInference);
  const auto t = bench.parameter(c.vocabulary, 8);
  bench.allocate();
  bench.set(t, table);
  const auto rows = bench.program.count(static_cast<std::uint32_t>(c.rows + 2));
  bench.set_rows(rows, c.rows);
  const auto best = best_of(bench, bench.given(rows, x), t, c.k, nothing_else(bench, rows));
  bench.run();
  const Matrix expected =
      reference::log_softmax(reference::product(x, reference::transpose(table)));
  const auto ids = bench.program.host<std::uint32_t>(best.ids);
  const auto values = bench.program.host<float>(best.log_probabilities);
  for (std::size_t row = 0; row < c.rows; ++row) {
    const auto ranked = reference::top_k(expected, row, c.k);
    for (std::size_t place = 0; place < c.k; ++place) {
      const std::size_t at = row * c.k + place;
      if (place >= ranked.size()) {
        REQUIRE(ids[at] == NO_TOKEN);
        continue;
      }
      REQUIRE(values[at] == Approx(ranked[place].value).margin(1e-5));
      // If two values are equal up to rounding, both orders are correct: the value of the id must
      // be that of its place.
      REQUIRE(expected(row, ids[at]) == Approx(ranked[place].value).margin(1e-5));
    }
  }
}

}  // namespace

TEST_CASE("the most probable tokens equal the reference") {
  check_top_k({.rows = 1, .vocabulary = 3, .k = 8});
  check_top_k({.rows = 5, .vocabulary = 37, .k = 4});
  check_top_k({.rows = 3, .vocabulary = 1001, .k = 8});
  check_top_k({.rows = 2, .vocabulary = 515, .k = 515});  // a whole vocabulary in order
}

TEST_CASE("logits have a bias, and masked ids are the last and never possible") {
  constexpr std::size_t kRows = 3, kVocabulary = 7;
  const Matrix x = noise(kRows, 8, 1), table = noise(kVocabulary, 8, 2),
               bias = noise(kVocabulary, 1, 3);
  Bench bench(nn::Mode::kInference);
  const auto t = bench.parameter(kVocabulary, 8), b = bench.parameter(kVocabulary, 1);
  bench.allocate();
  bench.set(t, table);
  bench.set(b, bias);
  const auto rows = bench.program.count(kRows + 2);
  bench.set_rows(rows, kRows);
  const auto logits = nn::token_logits(bench.graph, bench.given(rows, x),
                                       {.table = t, .bias = b, .masked_ids = {0, 5}});
  const auto best = nn::top_k(bench.program, logits, kVocabulary, nothing_else(bench, rows));
  bench.run();
  Matrix expected = reference::product(x, reference::transpose(table));
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t id = 0; id < kVocabulary; ++id) expected(row, id) += bias(id, 0);
    expected(row, 0) = expected(row, 5) = -1e30;
  }
  expected = reference::log_softmax(expected);
  const auto ids = bench.program.host<std::uint32_t>(best.ids);
  const auto values = bench.program.host<float>(best.log_probabilities);
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t place = 0; place < kVocabulary; ++place) {
      const std::size_t at = row * kVocabulary + place;
      const bool is_masked = place + 2 >= kVocabulary;
      CHECK(nn::is_possible(values[at]) != is_masked);
      CHECK((ids[at] == 0 || ids[at] == 5) == is_masked);
      if (!is_masked) CHECK(values[at] == Approx(expected(row, ids[at])).margin(1e-5));
    }
  }
}

TEST_CASE("excluded tokens differ from logits that are not numbers") {
  constexpr std::uint32_t kVocabulary = 30, kCandidates = 3;
  Bench bench(nn::Mode::kInference);
  const auto t = bench.parameter(kVocabulary, 8);
  bench.allocate();
  bench.set(t, noise(kVocabulary, 8, 2));
  const auto rows = bench.program.count(3);
  bench.set_rows(rows, 3);
  // All tokens of row 0 are excluded, row 1 has no numbers, and row 2 is neither.
  Matrix x = noise(3, 8, 1);
  for (std::size_t i = 0; i < 8; ++i) x(1, i) = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::uint32_t> changes;
  for (std::uint32_t id = 0; id < kVocabulary; ++id) {
    changes.push_back(id);
    changes.push_back(std::bit_cast<std::uint32_t>(-std::numeric_limits<float>::infinity()));
  }
  const nn::TokenConstraints constraints{
      .forced_id = bench.given_words(rows, 1, {NO_TOKEN, NO_TOKEN, NO_TOKEN}),
      .adjustments = nn::Adjustments{
          .ranges = bench.given_words(rows, 2, {0, kVocabulary, 0, 0, 0, 0}),
          .changes = bench.given_words(bench.program.fixed(kVocabulary), 2, changes)}};
  const auto best = best_of(bench, bench.given(rows, x), t, kCandidates, constraints);
  bench.run();
  const auto ids = bench.program.host<std::uint32_t>(best.ids);
  const auto values = bench.program.host<float>(best.log_probabilities);
  for (std::size_t i = 0; i < kCandidates; ++i) {
    CHECK(ids[i] == NO_TOKEN);
    CHECK_FALSE(std::isnan(values[i]));
    CHECK(std::isnan(values[kCandidates + i]));
    CHECK(ids[2 * kCandidates + i] != NO_TOKEN);
    CHECK(std::isfinite(values[2 * kCandidates + i]));
  }
}

TEST_CASE("equal logits are ordered by id") {
  Bench bench(nn::Mode::kInference);
  const auto t = bench.parameter(70, 4);
  bench.allocate();  // all zero: every logit is equal
  const auto rows = bench.program.count(1);
  bench.set_rows(rows, 1);
  const auto best =
      best_of(bench, bench.given(rows, noise(1, 4, 1)), t, 40, nothing_else(bench, rows));
  bench.run();
  const auto ids = bench.program.host<std::uint32_t>(best.ids);
  for (std::uint32_t i = 0; i < 40; ++i) REQUIRE(ids[i] == i);
}

TEST_CASE("a forced token has no alternatives, and logits are adjusted before the softmax") {
  constexpr std::size_t kRows = 4, kVocabulary = 30;
  constexpr std::uint32_t kBest = 3;
  const Matrix x = noise(kRows, 8, 1), table = noise(kVocabulary, 8, 2);
  Bench bench(nn::Mode::kInference);
  const auto t = bench.parameter(kVocabulary, 8);
  bench.allocate();
  bench.set(t, table);
  const auto rows = bench.program.count(kRows);
  bench.set_rows(rows, kRows);
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  const float never = -std::numeric_limits<float>::infinity();
  // Row 0 has no constraints, row 1 a forced token; row 2 forbids two tokens and favors one, row 3
  // has two repeated tokens.
  const nn::TokenConstraints constraints{
      .forced_id = bench.given_words(rows, 1, {NO_TOKEN, 17, NO_TOKEN, NO_TOKEN}),
      .adjustments =
          nn::Adjustments{.ranges = bench.given_words(rows, 2, {0, 0, 0, 0, 0, 3, 3, 5}),
                          .changes = bench.given_words(
                              bench.program.fixed(5), 2,
                              {5, bits(never), 29, bits(never), 11, bits(2), 7 | ADJUST_REPEATED,
                               bits(1.5f), 8 | ADJUST_REPEATED, bits(1.5f)})}};
  const auto best = best_of(bench, bench.given(rows, x), t, kBest, constraints);
  bench.run();
  Matrix logits = reference::product(x, reference::transpose(table));
  logits(2, 5) = logits(2, 29) = -1e30;
  logits(2, 11) += 2;
  for (const std::size_t id : {7, 8}) logits(3, id) *= logits(3, id) > 0 ? 1 / 1.5 : 1.5;
  const Matrix expected = reference::log_softmax(logits);
  const auto ids = bench.program.host<std::uint32_t>(best.ids);
  const auto values = bench.program.host<float>(best.log_probabilities);
  for (const std::size_t row : {0, 2, 3}) {
    const auto ranked = reference::top_k(expected, row, kBest);
    for (std::size_t place = 0; place < kBest; ++place) {
      REQUIRE(values[row * kBest + place] == Approx(ranked[place].value).margin(1e-5));
      REQUIRE(expected(row, ids[row * kBest + place]) == Approx(ranked[place].value).margin(1e-5));
    }
  }
  REQUIRE(ids[kBest] == 17);
  REQUIRE(values[kBest] == Approx(expected(1, 17)).margin(1e-5));
  REQUIRE(ids[kBest + 1] == NO_TOKEN);
}

TEST_CASE("a beam too large for the loops of a kernel is refused") {
  Bench bench(nn::Mode::kInference);
  const auto t = bench.parameter(100'000, 4);
  bench.allocate();
  const auto rows = bench.program.fixed(1);
  const auto x = bench.program.activation(rows, 4);
  REQUIRE_THROWS_AS(best_of(bench, x, t, 5000, nothing_else(bench, rows)), base::Error);
}

TEST_CASE("attention through a table of ancestors equals attention over the same keys in order") {
  // Pasts of several lengths: one key, less than a block of them, several blocks.
  constexpr std::size_t kRows = 4, kCache = 40, kLengths[kRows] = {11, 1, 40, 5};
  constexpr std::uint32_t kHeads = 2, kDk = 8, kDv = 12;
  const Matrix q = noise(kRows, kHeads * kDk, 1), k = noise(kCache, kHeads * kDk, 2),
               v = noise(kCache, kHeads * kDv, 3);
  base::Random random(4);
  std::vector<std::uint32_t> table = {7}, past;  // no row uses the first entry
  std::vector<reference::RowRange> ranges;
  for (const std::size_t length : kLengths) {
    ranges.push_back({table.size() - 1, table.size() - 1 + length});
    past.push_back(static_cast<std::uint32_t>(table.size()));
    for (std::size_t i = 0; i < length; ++i) table.push_back(random.below(kCache));
    past.push_back(static_cast<std::uint32_t>(table.size()));
  }
  const auto entries = static_cast<std::uint32_t>(table.size());
  Bench bench(nn::Mode::kInference);
  auto& program = bench.program;
  const auto rows = program.count(kRows);
  bench.set_rows(rows, kRows);
  const nn::Ancestors ancestors{.table = bench.given_words(program.fixed(entries), 1, table),
                                .ranges = bench.given_words(rows, 2, past)};
  const auto y = nn::cached_attention(bench.graph,
                                      {bench.given(rows, q), bench.given(program.fixed(kCache), k),
                                       bench.given(program.fixed(kCache), v)},
                                      ancestors, {kHeads, kDk, kDv, 0});
  const auto output = bench.observe(y);
  bench.run();

  Matrix ordered_k(entries - 1, k.columns), ordered_v(entries - 1, v.columns);
  for (std::size_t at = 0; at + 1 < entries; ++at) {
    for (std::size_t c = 0; c < k.columns; ++c) ordered_k(at, c) = k(table[at + 1], c);
    for (std::size_t c = 0; c < v.columns; ++c) ordered_v(at, c) = v(table[at + 1], c);
  }
  const auto expected = reference::attention(
      {.q = q, .k = ordered_k, .v = ordered_v, .keys = ranges, .heads = kHeads, .dropout = {}});
  require_close(bench.read(output, kRows), expected.y);
}

TEST_CASE("rows are stored at their places in the cache") {
  const std::vector<std::uint32_t> places = {7, 19, 0, 3, 12};
  const Matrix x = noise(places.size(), 8, 1);
  Bench bench(nn::Mode::kInference);
  auto& program = bench.program;
  const auto rows = program.count(6);
  bench.set_rows(rows, places.size());
  const auto cache = program.output(program.fixed(20), 8);
  nn::store_rows(bench.graph, bench.given(rows, x), cache, bench.given_words(rows, 1, places));
  bench.run();
  const auto output = bench.read(cache, 20);
  std::size_t untouched = 0;
  for (std::size_t row = 0; row < 20; ++row) untouched += std::isnan(output(row, 0)) ? 1 : 0;
  REQUIRE(untouched == 20 - places.size());
  for (std::size_t row = 0; row < places.size(); ++row) {
    for (std::size_t c = 0; c < 8; ++c) REQUIRE(output(places[row], c) == x(row, c));
  }
}

}  // namespace awend::tests
