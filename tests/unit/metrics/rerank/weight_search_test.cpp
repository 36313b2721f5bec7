// The search for weights: against all points of a line, and sets whose best weights are known.
#include "metrics/rerank/weight_search.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/random.hpp"
#include "metrics/bleu/bleu.hpp"
#include "tests/catch.hpp"

namespace awend::metrics {
namespace {

constexpr std::size_t kFeatures = 3;

/// Lists of candidates with random features and random statistics of BLEU.
TuningSet random_set(const Metric& metric, std::size_t lists, std::uint64_t seed) {
  base::Random random(seed);
  TuningSet set{.features = CandidateFeatures(kFeatures)};
  for (std::size_t list = 0; list < lists; ++list) {
    set.features.begin_list();
    for (auto candidates = 1 + random.below(6); candidates > 0; --candidates) {
      std::vector<double> values;
      // Few different values, so that sums and slopes are equal at times.
      for (std::size_t i = 0; i < kFeatures; ++i) values.push_back(random.below(5) - 2.0);
      set.features.add(values);
      set.statistics.insert(set.statistics.end(), {20, 18 + random.below(5)});
      for (std::size_t n = 0; n < 4; ++n) set.statistics.push_back(1 + random.below(14));
      for (std::size_t n = 0; n < 4; ++n)
        set.statistics.push_back(static_cast<std::int64_t>(20 - n));
    }
  }
  base::check(set.statistics.size() == set.features.candidates() * metric.width(), "a row each");
  return set;
}

std::vector<double> moved(std::vector<double> weights, double x, const std::vector<double>& along) {
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] += x * along[i];
  return weights;
}

}  // namespace

TEST_CASE("the best point of a line is as good as any other") {
  const Bleu bleu;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const auto set = random_set(bleu, 12, seed);
    base::Random random(seed, 7);
    std::vector<double> weights, along;
    for (std::size_t i = 0; i < kFeatures; ++i) {
      weights.push_back(random.normal());
      along.push_back(random.normal());
    }
    const auto best = best_on_line(set, bleu, weights, along);
    double greatest = 0;
    for (double x = -40; x <= 40; x += 1.0 / 64)
      greatest = std::max(greatest, score_of_choices(set, bleu, moved(weights, x, along)));
    CHECK(best.score >= greatest);
    CHECK(score_of_choices(set, bleu, moved(weights, best.position, along)) ==
          Approx(best.score).epsilon(1e-12));
  }
}

TEST_CASE("the best interval of a line is not left") {
  const Bleu bleu;
  const auto set = random_set(bleu, 5, 3);
  const std::vector<double> weights = {1, 2, 3}, zero = {0, 0, 0}, along = {1, -1, 2};
  CHECK(best_on_line(set, bleu, weights, zero).position == 0);
  const auto best = best_on_line(set, bleu, weights, along);
  CHECK(best.position != 0);
  CHECK(best_on_line(set, bleu, moved(weights, best.position, along), along).position == 0);
}

TEST_CASE("the search finds the feature that tells good candidates, whatever the threads") {
  const Bleu bleu;
  auto set = random_set(bleu, 60, 5);
  TuningSet known{.features = CandidateFeatures(kFeatures), .statistics = set.statistics};
  // The second feature is minus the matches of a candidate, which has the other features as noise.
  double best_possible = 0;
  std::vector<std::int64_t> sums(bleu.width());
  for (std::size_t list = 0; list < set.features.lists(); ++list) {
    known.features.begin_list();
    std::size_t best = set.features.begin(list);
    const auto matches = [&](std::size_t i) {
      const auto* row = &known.statistics[i * bleu.width()];
      return row[2] + row[3] + row[4] + row[5];
    };
    for (auto i = set.features.begin(list); i < set.features.end(list); ++i) {
      const auto values = set.features.of(i);
      known.features.add(
          std::vector<double>{values[0], -static_cast<double>(matches(i)), values[2]});
      if (matches(i) > matches(best)) best = i;
    }
    for (std::size_t k = 0; k < sums.size(); ++k)
      sums[k] += known.statistics[best * bleu.width() + k];
  }
  best_possible = bleu.value(sums);
  const WeightSearch search{.start = {1, 0, 0}, .starts = 4, .seed = 9, .threads = 1};
  const auto found = search_weights(known, bleu, search);
  CHECK(found.score >= best_possible);
  CHECK(found.score > found.start_score + 5);
  CHECK(found.weights[1] < -0.5 * (std::abs(found.weights[0]) + std::abs(found.weights[2])));
  CHECK(std::abs(found.weights[0]) + std::abs(found.weights[1]) + std::abs(found.weights[2]) ==
        Approx(1));
  auto several = search;
  several.threads = 3;
  CHECK(search_weights(known, bleu, several).weights == found.weights);
}

TEST_CASE("a feature that is the same for all candidates of a list has no weight") {
  const Bleu bleu;
  const auto set = random_set(bleu, 20, 8);
  TuningSet with_constant{.features = CandidateFeatures(2), .statistics = set.statistics};
  for (std::size_t list = 0; list < set.features.lists(); ++list) {
    with_constant.features.begin_list();
    for (auto i = set.features.begin(list); i < set.features.end(list); ++i) {
      with_constant.features.add(
          std::vector<double>{static_cast<double>(list), set.features.of(i)[0]});
    }
  }
  const auto found = search_weights(with_constant, bleu, {.start = {1, 1}});
  CHECK(found.weights[0] == 0);
  CHECK(found.weights[1] != 0);
}

}  // namespace awend::metrics
