#include "metrics/rerank/weight_search.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"

namespace awend::metrics {
namespace {

// Each pass improves the score, so that it ends much earlier.
constexpr int kMaxPasses = 100;

using Weights = std::vector<double>;

class Searcher {
 public:
  Searcher(const TuningSet& set, const Metric& metric, const Weights& deviations)
      : set_(set), metric_(metric), deviations_(deviations) {}

  FoundWeights from(Weights weights, base::Random random) const {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (deviations_[i] == 0) weights[i] = 0;
    }
    FoundWeights found{.weights = std::move(weights)};
    found.score = found.start_score = score_of_choices(set_, metric_, found.weights);
    for (int pass = 0; pass < kMaxPasses; ++pass) {
      bool improved = false;
      for (std::size_t i = 0; i < deviations_.size(); ++i) {
        if (deviations_[i] == 0) continue;
        Weights along(deviations_.size());
        along[i] = 1 / deviations_[i];
        improved = improve(along, found) || improved;
      }
      for (std::size_t i = 0; i < deviations_.size(); ++i)
        improved = improve(random_weights(random), found) || improved;
      if (!improved) break;
    }
    return found;
  }

  /// Normal numbers, in units in which all features vary equally.
  Weights random_weights(base::Random& random) const {
    Weights weights;
    for (const double deviation : deviations_) {
      const auto number = static_cast<double>(random.normal());
      weights.push_back(deviation == 0 ? 0 : number / deviation);
    }
    return weights;
  }

 private:
  // Whether a move improves the score, also with the rounding errors of sums.
  bool improve(const Weights& direction, FoundWeights& found) const {
    const auto point = best_on_line(set_, metric_, found.weights, direction);
    if (point.score <= found.score || point.position == 0) return false;
    auto moved = found.weights;
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += point.position * direction[i];
    normalize(moved);
    const auto score = score_of_choices(set_, metric_, moved);
    if (score <= found.score) return false;
    found.weights = std::move(moved);
    found.score = score;
    return true;
  }

  static void normalize(Weights& weights) {
    double sum = 0;
    for (const double weight : weights) sum += std::abs(weight);
    if (sum == 0) return;
    for (auto& weight : weights) weight /= sum;
  }

  const TuningSet& set_;
  const Metric& metric_;
  const Weights& deviations_;
};

}  // namespace

FoundWeights search_weights(const TuningSet& set, const Metric& metric,
                            const WeightSearch& search) {
  base::check(set.features.lists() > 0 && search.starts > 0, "there is something to search");
  const auto deviations = set.features.deviations();
  const Searcher searcher(set, metric, deviations);
  std::vector<FoundWeights> found(search.starts);
  std::atomic<std::size_t> next = 0;
  const auto threads = std::min<std::size_t>(search.threads, search.starts);
  base::run_on_threads(static_cast<unsigned>(threads), [&](unsigned) {
    for (auto start = next++; start < search.starts; start = next++) {
      base::Random random(search.seed, start);
      auto weights = start == 0 ? search.start : searcher.random_weights(random);
      found[start] = searcher.from(std::move(weights), random);
    }
  });
  auto best = *std::ranges::max_element(found, {}, &FoundWeights::score);
  best.start_score = found.front().start_score;
  return best;
}

}  // namespace awend::metrics
