// Sampling of tokens in double precision: the exact distribution, and samples by Gumbel's trick
// with the same random numbers as on the device.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/random.hpp"

namespace awend::reference {

struct SamplingRule {
  double temperature = 1;
  std::size_t top_k = 0;  ///< 0: all
  double top_p = 1;
};

/// The probability of each token to be sampled; 0 for tokens after the cut.
inline std::vector<double> drawn_from(const std::vector<double>& logits, const SamplingRule& rule) {
  std::vector<std::size_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return logits[a] > logits[b]; });
  if (rule.top_k > 0 && rule.top_k < order.size()) order.resize(rule.top_k);
  std::vector<double> weights(logits.size(), 0.0);
  double sum = 0;
  for (const std::size_t id : order)
    sum += weights[id] = std::exp((logits[id] - logits[order[0]]) / rule.temperature);
  double kept = 0;
  for (const std::size_t id : order) {
    if (kept >= rule.top_p * sum) weights[id] = 0;
    kept += weights[id];
  }
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= total;
  return weights;
}

struct Draw {
  std::size_t id = 0;
  double lead = 1e9;  ///< Over the second; rounding may reverse a small one.
};

/// The sample for a key, from probabilities of drawn_from().
inline Draw draw(const std::vector<double>& probabilities, base::PhiloxKey key) {
  Draw best;
  double score = -1e300;
  for (std::size_t id = 0; id < probabilities.size(); ++id) {
    if (probabilities[id] == 0) continue;
    const auto words = base::philox({static_cast<std::uint32_t>(id / 4), 0, 0, 0}, key);
    const double uniform = (words[id % 4] + 0.5) / 4294967296.0;
    const double own = std::log(probabilities[id]) - std::log(-std::log1p(-uniform));
    best.lead = own > score ? own - score : std::min(best.lead, score - own);
    if (own > score) best.id = id;
    score = std::max(score, own);
  }
  return best;
}

}  // namespace awend::reference
