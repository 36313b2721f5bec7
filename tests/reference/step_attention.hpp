// Attention with one head and unscaled scores, over keys and values of a range of rows for each
// query: vᵀ tanh(q + k) (Bahdanau et al., 2015), or q · k (Luong et al., 2015).
//
// Local attention (Luong et al., 2015) has a softmax over the keys that are at most `window` from a
// center, counted from the first key of the query.  Centers are given, or they are predicted as
// S σ(vᵀ tanh(q W)) for S keys; then weights are multiplied by exp(−(s − p)² / 2σ²), σ = window
// / 2.
//
// queries (Q, columns), keys (K, columns), v (1, columns) or empty for dot products, values
// (K, width); query i attends to the keys [begin, end) of ranges[i].
#pragma once

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/reference/matrix.hpp"

namespace awend::reference {

struct SourceAttention {
  Matrix queries, keys, v, values;
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  bool is_linear = false;  ///< The weights are the scores (linear start).
  std::size_t slots = 0;   ///< Keys that a query lacks are zeros; their weights are not returned.
  double window = 0;       ///< 0: all keys.
  std::vector<double> centers = {};     ///< By query, if they are not predicted.
  Matrix center_w = {}, center_v = {};  ///< (columns, inner), (1, inner), if they are.

  bool predicts() const { return !center_v.values.empty(); }
  /// vᵀ tanh(q W), or one element of the inner vector before tanh.
  double inner(std::size_t query, std::size_t column) const {
    double sum = 0;
    for (std::size_t a = 0; a < queries.columns; ++a)
      sum += queries(query, a) * center_w(a, column);
    return sum;
  }
  double center(std::size_t query) const {
    if (!predicts()) return centers[query];
    double sum = 0;
    for (std::size_t k = 0; k < center_v.columns; ++k)
      sum += center_v(0, k) * std::tanh(inner(query, k));
    const auto [begin, end] = ranges[query];
    return static_cast<double>(end - begin) / (1 + std::exp(-sum));
  }
  /// The keys of a query that have weights.
  std::pair<std::size_t, std::size_t> attended(std::size_t query) const {
    const auto [begin, end] = ranges[query];
    if (window == 0 || begin == end) return ranges[query];
    const double low = std::max(std::ceil(center(query) - window), 0.0);
    const double high =
        std::min(std::floor(center(query) + window), static_cast<double>(end - begin) - 1);
    return {begin + static_cast<std::size_t>(low), begin + static_cast<std::size_t>(high) + 1};
  }
  /// The factor of the weight of a key.
  double gaussian(std::size_t query, std::size_t key) const {
    if (!predicts()) return 1;
    const double distance = static_cast<double>(key - ranges[query].first) - center(query);
    return std::exp(-2 * distance * distance / (window * window));
  }

  bool is_additive() const { return !v.values.empty(); }
  double score(std::size_t query, std::size_t key) const {
    double sum = 0;
    for (std::size_t a = 0; a < keys.columns; ++a) {
      sum += is_additive() ? v(0, a) * std::tanh(queries(query, a) + keys(key, a))
                           : queries(query, a) * keys(key, a);
    }
    return sum;
  }
};

/// The weights (Q, K), zero outside of the ranges.
inline Matrix attention_weights_of(const SourceAttention& attention) {
  Matrix weights(attention.queries.rows, attention.keys.rows);
  for (std::size_t i = 0; i < attention.queries.rows; ++i) {
    const auto [begin, end] = attention.attended(i);
    double sum = 0;
    for (std::size_t j = begin; j < end; ++j)
      sum += weights(i, j) =
          attention.is_linear ? attention.score(i, j) : std::exp(attention.score(i, j));
    if (attention.is_linear) continue;
    if (end - begin < attention.slots) sum += static_cast<double>(attention.slots - (end - begin));
    for (std::size_t j = begin; j < end; ++j) weights(i, j) *= attention.gaussian(i, j) / sum;
  }
  return weights;
}

/// The contexts (Q, width).
inline Matrix attend(const SourceAttention& attention) {
  const Matrix weights = attention_weights_of(attention);
  Matrix contexts(weights.rows, attention.values.columns);
  for (std::size_t i = 0; i < weights.rows; ++i) {
    for (std::size_t j = 0; j < weights.columns; ++j) {
      for (std::size_t c = 0; c < contexts.columns; ++c)
        contexts(i, c) += weights(i, j) * attention.values(j, c);
    }
  }
  return contexts;
}

struct SourceAttentionGradient {
  Matrix queries, keys, v, values, center_w, center_v;
};

/// Adds the gradients of the predicted center of query i from its own, `dcenter`.
inline void add_center_gradient(const SourceAttention& attention, std::size_t i, double dcenter,
                                SourceAttentionGradient& g) {
  const auto& [begin, end] = attention.ranges[i];
  const double center = attention.center(i);
  const double da = dcenter * center * (1 - center / static_cast<double>(end - begin));
  for (std::size_t k = 0; k < attention.center_v.columns; ++k) {
    const double t = std::tanh(attention.inner(i, k));
    const double dz = da * attention.center_v(0, k) * (1 - t * t);
    g.center_v(0, k) += da * t;
    for (std::size_t a = 0; a < attention.queries.columns; ++a) {
      g.center_w(a, k) += dz * attention.queries(i, a);
      g.queries(i, a) += dz * attention.center_w(a, k);
    }
  }
}

inline SourceAttentionGradient attend_backward(const SourceAttention& attention,
                                               const Matrix& dcontexts) {
  const auto& queries = attention.queries;
  const auto& keys = attention.keys;
  const auto& v = attention.v;
  const auto& values = attention.values;
  const auto& [center_w, center_v] = std::tie(attention.center_w, attention.center_v);
  const Matrix weights = attention_weights_of(attention);
  SourceAttentionGradient g{Matrix(queries.rows, queries.columns),
                            Matrix(keys.rows, keys.columns),
                            Matrix(v.rows, v.columns),
                            Matrix(values.rows, values.columns),
                            Matrix(center_w.rows, center_w.columns),
                            Matrix(center_v.rows, center_v.columns)};
  for (std::size_t i = 0; i < queries.rows; ++i) {
    const auto [begin, end] = attention.attended(i);
    std::vector<double> gradients(end - begin);
    double mean = 0, dcenter = 0;
    for (std::size_t j = begin; j < end; ++j) {
      for (std::size_t c = 0; c < values.columns; ++c) {
        gradients[j - begin] += dcontexts(i, c) * values(j, c);
        g.values(j, c) += weights(i, j) * dcontexts(i, c);
      }
      mean += weights(i, j) * gradients[j - begin];
      if (!attention.predicts()) continue;
      const double distance =
          static_cast<double>(j - attention.ranges[i].first) - attention.center(i);
      dcenter += weights(i, j) * gradients[j - begin] * 4 * distance /
                 (attention.window * attention.window);
    }
    if (attention.predicts()) add_center_gradient(attention, i, dcenter, g);
    for (std::size_t j = begin; j < end; ++j) {
      const double gradient =
          attention.is_linear
              ? gradients[j - begin]
              : weights(i, j) * (gradients[j - begin] - mean / attention.gaussian(i, j));
      for (std::size_t a = 0; a < keys.columns; ++a) {
        if (attention.is_additive()) {
          const double t = std::tanh(queries(i, a) + keys(j, a));
          const double inner = gradient * v(0, a) * (1 - t * t);
          g.queries(i, a) += inner;
          g.keys(j, a) += inner;
          g.v(0, a) += gradient * t;
        } else {
          g.queries(i, a) += gradient * keys(j, a);
          g.keys(j, a) += gradient * queries(i, a);
        }
      }
    }
  }
  return g;
}

}  // namespace awend::reference
