#include "metrics/rerank/candidate_features.hpp"

#include <cmath>

namespace awend::metrics {

double CandidateFeatures::sum(std::size_t candidate, std::span<const double> weights) const {
  const auto values = of(candidate);
  double sum = 0;
  for (std::size_t i = 0; i < features_; ++i) sum += weights[i] * values[i];
  return sum;
}

std::size_t CandidateFeatures::best(std::size_t list, std::span<const double> weights) const {
  auto best = begin(list);
  double greatest = sum(best, weights);
  for (auto i = best + 1; i < end(list); ++i) {
    const auto other = sum(i, weights);
    if (other <= greatest) continue;
    greatest = other;
    best = i;
  }
  return best;
}

std::vector<double> CandidateFeatures::deviations() const {
  std::vector<double> deviations(features_);
  for (std::size_t feature = 0; feature < features_; ++feature) {
    double squares = 0;
    for (std::size_t list = 0; list < lists(); ++list) {
      double sum = 0;
      for (auto i = begin(list); i < end(list); ++i) sum += of(i)[feature];
      const auto mean = sum / static_cast<double>(end(list) - begin(list));
      for (auto i = begin(list); i < end(list); ++i)
        squares += (of(i)[feature] - mean) * (of(i)[feature] - mean);
    }
    if (candidates() > 0)
      deviations[feature] = std::sqrt(squares / static_cast<double>(candidates()));
  }
  return deviations;
}

}  // namespace awend::metrics
