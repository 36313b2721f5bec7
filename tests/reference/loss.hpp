// Label-smoothed cross entropy (section 5.4 of the paper), log-softmax, the best entries of a row.
//
// logits (rows, vocabulary).  The true token has probability 1 - smoothing, every other one
// smoothing / (vocabulary - 1).
#pragma once

#include <algorithm>
#include <cmath>

#include "tests/reference/matrix.hpp"

namespace awend::reference {

inline Matrix log_softmax(const Matrix& logits) {
  Matrix result = logits;
  for (std::size_t row = 0; row < logits.rows; ++row) {
    double highest = logits(row, 0);
    for (std::size_t id = 1; id < logits.columns; ++id)
      highest = std::max(highest, logits(row, id));
    double sum = 0;
    for (std::size_t id = 0; id < logits.columns; ++id) sum += std::exp(logits(row, id) - highest);
    for (std::size_t id = 0; id < logits.columns; ++id) result(row, id) -= highest + std::log(sum);
  }
  return result;
}

/// The target of a row without a loss.
inline constexpr std::uint32_t kNoTarget = 0xFFFFFFFF;

/// The smoothed target probability of `id` if `target` is the true token.
inline double smoothed_target(std::size_t id, std::size_t target, std::size_t vocabulary,
                              double smoothing) {
  return id == target ? 1 - smoothing : smoothing / static_cast<double>(vocabulary - 1);
}

struct CrossEntropy {
  std::vector<double> loss;                     // smoothed, of each row
  std::vector<double> negative_log_likelihood;  // of the true token, of each row
  Matrix dlogits;                               // of `gradient_scale` times the sum of the losses
};

inline CrossEntropy cross_entropy(const Matrix& logits, const std::vector<std::uint32_t>& targets,
                                  double smoothing, double gradient_scale) {
  const Matrix log_p = log_softmax(logits);
  CrossEntropy result{std::vector<double>(logits.rows), std::vector<double>(logits.rows),
                      Matrix(logits.rows, logits.columns)};
  for (std::size_t row = 0; row < logits.rows; ++row) {
    if (targets[row] == kNoTarget) continue;
    for (std::size_t id = 0; id < logits.columns; ++id) {
      const double target_p = smoothed_target(id, targets[row], logits.columns, smoothing);
      result.loss[row] -= target_p * log_p(row, id);
      result.dlogits(row, id) = gradient_scale * (std::exp(log_p(row, id)) - target_p);
    }
    result.negative_log_likelihood[row] = -log_p(row, targets[row]);
  }
  return result;
}

/// The entropy of the smoothed targets, which is the minimum of the loss.
inline double smoothing_floor(std::size_t vocabulary, double smoothing) {
  if (smoothing == 0) return 0;
  return -(1 - smoothing) * std::log(1 - smoothing) -
         smoothing * std::log(smoothing / static_cast<double>(vocabulary - 1));
}

struct Ranked {
  std::uint32_t id = 0;
  double value = 0;
};

/// The `count` highest entries of a row, best first, equal ones by lower column.
inline std::vector<Ranked> top_k(const Matrix& matrix, std::size_t row, std::size_t count) {
  std::vector<Ranked> all;
  for (std::size_t id = 0; id < matrix.columns; ++id) {
    all.push_back({static_cast<std::uint32_t>(id), matrix(row, id)});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Ranked& a, const Ranked& b) { return a.value > b.value; });
  all.resize(std::min(count, all.size()));
  return all;
}

}  // namespace awend::reference
