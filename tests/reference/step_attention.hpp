// Attention with one head and unscaled scores, over keys and values of a range of rows for each
// query: vᵀ tanh(q + k) (Bahdanau et al., 2015), or q · k (Luong et al., 2015).
//
// queries (Q, columns), keys (K, columns), v (1, columns) or empty for dot products, values
// (K, width); query i attends to the keys [begin, end) of ranges[i].
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "tests/reference/matrix.hpp"

namespace awend::reference {

struct SourceAttention {
  Matrix queries, keys, v, values;
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  bool is_linear = false;  ///< The weights are the scores (linear start).
  std::size_t slots = 0;   ///< Keys that a query lacks are zeros; their weights are not returned.

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
    const auto [begin, end] = attention.ranges[i];
    double sum = 0;
    for (std::size_t j = begin; j < end; ++j)
      sum += weights(i, j) =
          attention.is_linear ? attention.score(i, j) : std::exp(attention.score(i, j));
    if (attention.is_linear) continue;
    if (end - begin < attention.slots) sum += static_cast<double>(attention.slots - (end - begin));
    for (std::size_t j = begin; j < end; ++j) weights(i, j) /= sum;
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
  Matrix queries, keys, v, values;
};

inline SourceAttentionGradient attend_backward(const SourceAttention& attention,
                                               const Matrix& dcontexts) {
  const auto& [queries, keys, v, values, ranges, is_linear, slots] = attention;
  const Matrix weights = attention_weights_of(attention);
  SourceAttentionGradient g{Matrix(queries.rows, queries.columns), Matrix(keys.rows, keys.columns),
                            Matrix(v.rows, v.columns), Matrix(values.rows, values.columns)};
  for (std::size_t i = 0; i < queries.rows; ++i) {
    const auto [begin, end] = ranges[i];
    std::vector<double> gradients(end - begin);
    double mean = 0;
    for (std::size_t j = begin; j < end; ++j) {
      for (std::size_t c = 0; c < values.columns; ++c) {
        gradients[j - begin] += dcontexts(i, c) * values(j, c);
        g.values(j, c) += weights(i, j) * dcontexts(i, c);
      }
      mean += weights(i, j) * gradients[j - begin];
    }
    for (std::size_t j = begin; j < end; ++j) {
      const double gradient =
          is_linear ? gradients[j - begin] : weights(i, j) * (gradients[j - begin] - mean);
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
