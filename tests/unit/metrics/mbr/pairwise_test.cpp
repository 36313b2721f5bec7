// Scores and n-gram matches of all pairs of texts, against those of one pair after another.
#include <algorithm>
#include <map>

#include "base/random.hpp"
#include "metrics/bleu/bleu.hpp"
#include "metrics/chrf/chrf.hpp"
#include "metrics/mbr/expected_utility.hpp"
#include "metrics/mbr/pairwise_matches.hpp"
#include "tests/catch.hpp"

namespace awend::metrics {
namespace {

using Symbols = PairwiseMatches::Symbols;
using Texts = std::vector<std::string>;
using Views = std::vector<std::string_view>;

/// Texts over few characters, so that they share long n-grams; some are empty or very short.
Texts random_texts(std::size_t count, std::uint64_t seed) {
  const char* const parts[] = {"a", "b", " ", "ab", " a.", "é", "b\u3000", " 1,2"};
  base::Random random(seed);
  Texts texts(count);
  for (auto& text : texts) {
    for (auto length = random.below(40); length > 0; --length) text += parts[random.below(8)];
  }
  return texts;
}

std::int64_t matches_of(const Symbols& a, const Symbols& b, std::size_t order) {
  const auto counts_of = [&](const Symbols& text) {
    std::map<Symbols, std::int64_t> counts;
    for (std::size_t i = 0; i + order <= text.size(); ++i) {
      const auto begin = text.begin() + static_cast<std::ptrdiff_t>(i);
      ++counts[Symbols(begin, begin + static_cast<std::ptrdiff_t>(order))];
    }
    return counts;
  };
  const auto of_a = counts_of(a);
  auto of_b = counts_of(b);
  std::int64_t sum = 0;
  for (const auto& [ngram, count] : of_a) sum += std::min(count, of_b[ngram]);
  return sum;
}

std::vector<Symbols> random_symbols(std::size_t count, std::uint32_t kinds, std::uint64_t seed) {
  base::Random random(seed);
  std::vector<Symbols> texts(count);
  for (auto& text : texts) {
    text.resize(random.below(30));
    for (auto& symbol : text) symbol = random.below(kinds);
  }
  return texts;
}

/// One pair after another.
std::vector<double> slow_scores(const Metric& metric, const Views& hypotheses,
                                const Views& references) {
  const auto worker = metric.make_worker();
  std::vector<std::int64_t> row(metric.width());
  std::vector<double> values;
  for (const auto hypothesis : hypotheses) {
    for (const auto reference : references) {
      worker->set_references({&reference, 1});
      worker->measure(hypothesis, row);
      values.push_back(metric.value(row));
    }
  }
  return values;
}

std::vector<double> fast_scores(PairwiseScorer& scorer, const Views& hypotheses,
                                const Views& references) {
  std::vector<double> values(hypotheses.size() * references.size());
  scorer.score(hypotheses, references, values);
  return values;
}

}  // namespace

TEST_CASE("n-gram matches of all pairs") {
  // Two kinds of symbols: all texts share n-grams.  Fifty: few do.  Both ways of adding are used.
  for (const std::uint32_t kinds : {2, 5, 50}) {
    const auto rows = random_symbols(20, kinds, kinds), columns = random_symbols(11, kinds, 77);
    PairwiseMatches pairs(4);
    pairs.count(rows, columns);
    for (std::size_t n = 1; n <= 4; ++n) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t k = 0; k < columns.size(); ++k)
          CHECK(pairs.matches(n, i, k) == matches_of(rows[i], columns[k], n));
      }
    }
    // The texts before are forgotten.
    pairs.count(columns);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      for (std::size_t k = 0; k < columns.size(); ++k)
        CHECK(pairs.matches(2, i, k) == matches_of(columns[i], columns[k], 2));
    }
  }
}

TEST_CASE("matches of texts that exceed 16 bits") {
  const std::vector<Symbols> texts = {Symbols(40'000, 3), Symbols(70'000, 3), {3, 3}};
  PairwiseMatches pairs(2);
  pairs.count(texts);
  CHECK(pairs.matches(1, 0, 1) == 40'000);
  CHECK(pairs.matches(2, 1, 1) == 69'999);
  CHECK(pairs.matches(2, 2, 0) == 1);
}

TEST_CASE("scores of all pairs are those of each pair") {
  const auto texts = random_texts(30, 1), others = random_texts(7, 2);
  const Views hypotheses(texts.begin(), texts.end()), references(others.begin(), others.end());
  std::vector<std::unique_ptr<Metric>> metrics;
  metrics.push_back(std::make_unique<Chrf>());
  metrics.push_back(std::make_unique<Chrf>(ChrfSettings{.word_order = 2}));
  metrics.push_back(std::make_unique<Chrf>(
      ChrfSettings{.char_order = 3, .beta = 1, .lowercase = true, .whitespace = true}));
  metrics.push_back(std::make_unique<Chrf>(ChrfSettings{.eps_smoothing = true}));
  metrics.push_back(std::make_unique<Bleu>());
  metrics.push_back(std::make_unique<Bleu>(
      BleuSettings{.letter_case = LetterCase::kLower, .formula = {.effective_order = true}}));
  for (const auto& metric : metrics) {
    const auto scorer = metric->make_pairwise_scorer();
    CHECK(fast_scores(*scorer, hypotheses, references) ==
          slow_scores(*metric, hypotheses, references));
    CHECK(fast_scores(*scorer, hypotheses, hypotheses) ==
          slow_scores(*metric, hypotheses, hypotheses));
    CHECK(fast_scores(*scorer, references, hypotheses) ==
          slow_scores(*metric, references, hypotheses));
  }
}

TEST_CASE("expected utilities are weighted means, also over several tiles") {
  const auto texts = random_texts(300, 3), others = random_texts(280, 4);
  std::vector<WeightedText> candidates, references;
  for (const auto& text : texts) candidates.push_back({.text = text});
  double total = 0;
  for (const auto& text : others) {
    references.push_back({.text = text, .weight = static_cast<double>(references.size() % 3)});
    total += references.back().weight;
  }
  const Chrf chrf;
  const auto scorer = chrf.make_pairwise_scorer();
  const auto check = [&](std::span<const WeightedText> against, double sum_of_weights) {
    const auto utilities = expected_utilities(*scorer, candidates, against);
    REQUIRE(utilities.size() == candidates.size());
    for (const std::size_t i : {0, 17, 255, 256, 299}) {
      double expected = 0;
      for (const auto& [text, weight] : against)
        expected += weight * slow_scores(chrf, {candidates[i].text}, {text})[0];
      CHECK(utilities[i] == Approx(expected / sum_of_weights).epsilon(1e-12));
    }
  };
  check(references, total);
  check(candidates, static_cast<double>(candidates.size()));
}

TEST_CASE("the first of equally good candidates is the best") {
  CHECK(best_candidate(std::vector<double>{1, 3, 2, 3}) == 1);
  CHECK(best_candidate(std::vector<double>{1, 3 - 1e-12, 3}) == 1);
  CHECK(best_candidate(std::vector<double>{1, 3 - 1e-6, 3}) == 2);
  const Chrf chrf;
  const auto scorer = chrf.make_pairwise_scorer();
  const std::vector<WeightedText> candidates = {{"b"}, {"a a"}, {"aa"}, {"a a"}, {"c"}};
  const auto utilities = expected_utilities(*scorer, candidates, candidates);
  CHECK(best_candidate(utilities) == 1);
  CHECK(utilities[1] == utilities[3]);
}

}  // namespace awend::metrics
