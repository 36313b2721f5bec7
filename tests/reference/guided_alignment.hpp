// The cost of guided alignment: the attention of one head compared with word alignments (Chen et
// al., 2016), as in Marian.
#pragma once

#include <algorithm>
#include <cmath>

#include "tests/reference/attention.hpp"

namespace awend::reference {

enum class AlignmentCost { kCrossEntropy, kSquaredError };

/// What the weights of a query should be.
struct GuidedAlignment {
  std::vector<std::vector<std::size_t>> links;  // of each query: linked keys, from its first key
  AlignmentCost cost = AlignmentCost::kCrossEntropy;
  std::size_t head = 0;
};

struct GuidedCost {
  double cost = 0;
  std::vector<double> dscores;  // its gradient for the scores
};

/// The cost of one query from its scores.  With p their softmax and a = 1 for linked keys:
/// −Σ a / Σ a ln(p + 1e-6), or Σ (p − a)² / 2.
inline GuidedCost guided_cost(const std::vector<double>& scores,
                              const std::vector<std::size_t>& links, AlignmentCost kind) {
  constexpr double kEpsilon = 1e-6;
  const double highest = *std::max_element(scores.begin(), scores.end());
  std::vector<double> p, a(scores.size()), slopes(scores.size());
  double sum = 0, mean = 0;
  for (const double score : scores) sum += p.emplace_back(std::exp(score - highest));
  for (double& weight : p) weight /= sum;
  for (const auto key : links) a.at(key) = 1;
  GuidedCost result;
  const double count = std::max(1.0, static_cast<double>(std::count(a.begin(), a.end(), 1.0)));
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (kind == AlignmentCost::kCrossEntropy) {
      result.cost -= a[i] / count * std::log(p[i] + kEpsilon);
      slopes[i] = -a[i] / count / (p[i] + kEpsilon);
    } else {
      result.cost += (p[i] - a[i]) * (p[i] - a[i]) / 2;
      slopes[i] = p[i] - a[i];
    }
    mean += p[i] * slopes[i];
  }
  for (std::size_t i = 0; i < p.size(); ++i) result.dscores.push_back(p[i] * (slopes[i] - mean));
  return result;
}

struct GuidedGradient {
  double cost = 0;  // of all queries
  Matrix dq, dk;    // of the sum
};

/// The cost of an attention.
inline GuidedGradient guided_attention(const Attention& attention,
                                       const GuidedAlignment& alignment) {
  GuidedGradient result{0, Matrix(attention.q.rows, attention.q.columns),
                        Matrix(attention.k.rows, attention.k.columns)};
  const double scale = 1 / std::sqrt(static_cast<double>(attention.d_k()));
  for (std::size_t query = 0; query < attention.q.rows; ++query) {
    const auto [begin, end] = attention.keys[query];
    std::vector<double> scores;
    for (auto key = begin; key < end; ++key)
      scores.push_back(attention_score(attention, query, key, alignment.head));
    const auto own = guided_cost(scores, alignment.links[query], alignment.cost);
    result.cost += own.cost;
    for (auto key = begin; key < end; ++key) {
      const double dscore = own.dscores[key - begin] * scale;
      for (std::size_t i = 0; i < attention.d_k(); ++i) {
        const auto c = alignment.head * attention.d_k() + i;
        result.dq(query, c) += dscore * attention.k(key, c);
        result.dk(key, c) += dscore * attention.q(query, c);
      }
    }
  }
  return result;
}

}  // namespace awend::reference
