// Multi-head attention over sentences packed end to end (section 3.2 of the paper).
//
// q (query rows, heads * d_k), k (key rows, heads * d_k), v (key rows, heads * d_v), y (query rows,
// heads * d_v).  Query row i attends to the key rows [keys[i].begin, keys[i].end): its own sentence
// in the encoder, its prefix in the decoder, the source sentence in encoder-decoder attention.
// Dropout applies to the weights after the softmax: the weight of (query, key, head) is kept if and
// only if word 0 of Philox at {query row, key row, dropout_id << 8 | head, step} is at or above the
// threshold.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/reference/dropout.hpp"

namespace awend::reference {

struct RowRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Biases of scores by the position of a key minus that of its query, for packed sentences whose
/// queries and keys are the same rows (Raffel et al., 2020).
struct RelativeBias {
  Matrix table;                      // (buckets, heads)
  std::vector<std::size_t> buckets;  // of the positions from -max_distance to max_distance

  bool empty() const { return buckets.empty(); }
  std::size_t bucket(std::size_t query, std::size_t key) const {
    const auto most = static_cast<std::ptrdiff_t>(buckets.size() / 2);
    const auto distance = static_cast<std::ptrdiff_t>(key) - static_cast<std::ptrdiff_t>(query);
    return buckets[static_cast<std::size_t>(std::clamp(distance, -most, most) + most)];
  }
};

struct Attention {
  Matrix q, k, v;
  std::vector<RowRange> keys;  // of each query row
  std::size_t heads = 1;
  DropoutPlace dropout;
  RelativeBias bias = {};

  std::size_t d_k() const { return q.columns / heads; }
  std::size_t d_v() const { return v.columns / heads; }
};

/// Key ranges in which each row attends to its whole sentence; sentence s has the rows [begins[s],
/// begins[s + 1]).
inline std::vector<RowRange> sentence_ranges(const std::vector<std::size_t>& begins) {
  std::vector<RowRange> ranges;
  for (std::size_t s = 0; s + 1 < begins.size(); ++s) {
    for (auto row = begins[s]; row < begins[s + 1]; ++row)
      ranges.push_back({begins[s], begins[s + 1]});
  }
  return ranges;
}

/// Key ranges in which each row attends to its sentence up to itself.
inline std::vector<RowRange> causal_ranges(const std::vector<std::size_t>& begins) {
  auto ranges = sentence_ranges(begins);
  for (std::size_t row = 0; row < ranges.size(); ++row) ranges[row].end = row + 1;
  return ranges;
}

/// `ranges` of self-attention, restricted to `window` rows on each side of each row.
inline std::vector<RowRange> window_ranges(std::vector<RowRange> ranges, std::size_t window) {
  for (std::size_t row = 0; row < ranges.size(); ++row) {
    ranges[row].begin = std::max(ranges[row].begin, row - std::min(row, window));
    ranges[row].end = std::min(ranges[row].end, row + window + 1);
  }
  return ranges;
}

/// Key ranges in which each row of a target sentence attends to the source sentence of the same
/// index.
inline std::vector<RowRange> cross_ranges(const std::vector<std::size_t>& query_begins,
                                          const std::vector<std::size_t>& key_begins) {
  std::vector<RowRange> ranges;
  for (std::size_t s = 0; s + 1 < query_begins.size(); ++s) {
    for (auto row = query_begins[s]; row < query_begins[s + 1]; ++row) {
      ranges.push_back({key_begins[s], key_begins[s + 1]});
    }
  }
  return ranges;
}

/// The dropout factor of one attention weight: 0 or 1 / (1 - probability).
inline double weight_factor(const DropoutPlace& place, std::size_t query, std::size_t key,
                            std::size_t head) {
  if (place.probability == 0) return 1;
  const auto words =
      base::philox({static_cast<std::uint32_t>(query), static_cast<std::uint32_t>(key),
                    (place.dropout_id << 8) | static_cast<std::uint32_t>(head), place.step},
                   base::philox_key(place.seed));
  return words[0] >= base::dropout_threshold(place.probability) ? 1 / (1 - place.probability) : 0;
}

/// q_i k_j / sqrt(d_k) of one head, with its bias.
inline double attention_score(const Attention& a, std::size_t query, std::size_t key,
                              std::size_t head) {
  double score = 0;
  for (auto c = head * a.d_k(); c < (head + 1) * a.d_k(); ++c) score += a.q(query, c) * a.k(key, c);
  score /= std::sqrt(static_cast<double>(a.d_k()));
  return a.bias.empty() ? score : score + a.bias.table(a.bias.bucket(query, key), head);
}

/// The logarithm of the softmax's denominator: (query rows, heads).
inline Matrix attention_log_sum_exp(const Attention& a) {
  Matrix result(a.q.rows, a.heads);
  for (std::size_t query = 0; query < a.q.rows; ++query) {
    const auto [begin, end] = a.keys[query];
    base::check(begin < end && end <= a.k.rows, "every query sees a key");
    for (std::size_t head = 0; head < a.heads; ++head) {
      double highest = -std::numeric_limits<double>::infinity();
      for (auto key = begin; key < end; ++key) {
        highest = std::max(highest, attention_score(a, query, key, head));
      }
      double sum = 0;
      for (auto key = begin; key < end; ++key) {
        sum += std::exp(attention_score(a, query, key, head) - highest);
      }
      result(query, head) = highest + std::log(sum);
    }
  }
  return result;
}

struct AttentionOutput {
  Matrix y, log_sum_exp;
};

inline AttentionOutput attention(const Attention& a) {
  AttentionOutput result{Matrix(a.q.rows, a.v.columns), attention_log_sum_exp(a)};
  for (std::size_t query = 0; query < a.q.rows; ++query) {
    for (std::size_t head = 0; head < a.heads; ++head) {
      for (auto key = a.keys[query].begin; key < a.keys[query].end; ++key) {
        const double weight =
            std::exp(attention_score(a, query, key, head) - result.log_sum_exp(query, head)) *
            weight_factor(a.dropout, query, key, head);
        for (auto c = head * a.d_v(); c < (head + 1) * a.d_v(); ++c) {
          result.y(query, c) += weight * a.v(key, c);
        }
      }
    }
  }
  return result;
}

struct AttentionGradient {
  Matrix dq, dk, dv, dbias;
};

/// Gradients from dy (query rows, heads * d_v).  With p the softmax, m the dropout factor and g = m
/// (dy v): dv = p m dy, and the score's gradient is p (g - sum of p g).
inline AttentionGradient attention_backward(const Attention& a, const Matrix& dy) {
  const Matrix log_sum_exp = attention_log_sum_exp(a);
  const double scale = 1 / std::sqrt(static_cast<double>(a.d_k()));
  AttentionGradient result{Matrix(a.q.rows, a.q.columns), Matrix(a.k.rows, a.k.columns),
                           Matrix(a.v.rows, a.v.columns),
                           Matrix(a.bias.table.rows, a.bias.table.columns)};
  for (std::size_t query = 0; query < a.q.rows; ++query) {
    const auto [begin, end] = a.keys[query];
    for (std::size_t head = 0; head < a.heads; ++head) {
      std::vector<double> p(end - begin);
      std::vector<double> g(end - begin);
      double mean = 0;
      for (auto key = begin; key < end; ++key) {
        double& weight = p[key - begin];
        double& dweight = g[key - begin];
        const double factor = weight_factor(a.dropout, query, key, head);
        weight = std::exp(attention_score(a, query, key, head) - log_sum_exp(query, head));
        for (auto c = head * a.d_v(); c < (head + 1) * a.d_v(); ++c) {
          dweight += factor * dy(query, c) * a.v(key, c);
          result.dv(key, c) += factor * weight * dy(query, c);
        }
        mean += weight * dweight;
      }
      for (auto key = begin; key < end; ++key) {
        const double dbiased = p[key - begin] * (g[key - begin] - mean);
        if (!a.bias.empty()) result.dbias(a.bias.bucket(query, key), head) += dbiased;
        const double dscore = dbiased * scale;
        for (auto c = head * a.d_k(); c < (head + 1) * a.d_k(); ++c) {
          result.dq(query, c) += dscore * a.k(key, c);
          result.dk(key, c) += dscore * a.q(query, c);
        }
      }
    }
  }
  return result;
}

}  // namespace awend::reference
