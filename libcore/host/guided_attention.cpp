// The cost of guided attention and its gradients on the CPU; the formulas are in
// shaders/op_guided_attention.comp.  It is the attention of one head of one layer, so plain code is
// fast enough, and on x86-64 its bytes do not depend on the instruction set.
// Test: tests/unit/host/guided_attention_test.cpp, tests/kernels/guided_attention_test.cpp.
#include <algorithm>
#include <cmath>
#include <limits>

#include "host/rows.hpp"
#include "shaders/op_guided_attention.h"

namespace awend::host {
namespace {

/// Of one row with all its keys or queries, at most.
std::size_t floats_of_row(std::size_t stride, std::size_t d_k) {
  constexpr std::size_t kExponential = 10;  // takes as long as that many other operations
  return stride * (d_k + 2 * kExponential);
}

/// a · b in four sums.
double dot(const float* a, const float* b, std::size_t count) {
  double sums[4] = {};
  for (std::size_t i = 0; i < count; i += 4) {
    for (std::size_t j = 0; j < 4; ++j) sums[j] += double{a[i + j]} * b[i + j];
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// y += factor · x
void add_scaled(float* y, float factor, const float* x, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) y[i] += factor * x[i];
}

/// One query, and its weights.
class Query {
 public:
  Query(const GuidedAttention& t, std::size_t row)
      : t_(t),
        row_(row),
        begin_(t.key_ranges[2 * row]),
        keys_(t.key_ranges[2 * row + 1] - begin_),
        out_(t.dscores + row * t.stride) {}

  void compute() const {
    const double share = is_cross_entropy() ? 1.0 / std::max(links(), 1.0) : 1.0;
    score();
    double cost = 0, mean = 0;
    for (std::size_t key = 0; key < keys_; ++key) {
      const double p = out_[key], own = linked(key) * share;
      cost += is_cross_entropy() ? -own * std::log(p + GUIDED_EPSILON) : (p - own) * (p - own) / 2;
      mean += p * slope(p, own);
    }
    std::fill_n(t_.costs + 2 * row_, 2, static_cast<float>(cost));
    const double scale = double{t_.weight} * t_.step->loss_scale / root();
    for (std::size_t key = 0; key < keys_; ++key) {
      const double p = out_[key];
      out_[key] = static_cast<float>(p * (slope(p, linked(key) * share) - mean) * scale);
    }
  }

 private:
  bool is_cross_entropy() const { return t_.cost == GUIDED_CROSS_ENTROPY; }
  double root() const { return std::sqrt(static_cast<double>(t_.d_k)); }
  double linked(std::size_t key) const {
    return t_.links[row_ * t_.words + key / 32] >> (key % 32) & 1;
  }
  double links() const {
    double sum = 0;
    for (std::size_t key = 0; key < keys_; ++key) sum += linked(key);
    return sum;
  }
  double slope(double p, double own) const {
    return is_cross_entropy() ? -own / (p + GUIDED_EPSILON) : p - own;
  }

  /// Stores the weights, which the gradients of the scores replace.
  void score() const {
    double maximum = -std::numeric_limits<double>::infinity();
    for (std::size_t key = 0; key < keys_; ++key) {
      const float* const k = t_.k + ((begin_ + key) * t_.heads + t_.head) * t_.d_k;
      const double score = dot(t_.q + (row_ * t_.heads + t_.head) * t_.d_k, k, t_.d_k) / root();
      out_[key] = static_cast<float>(score);
      maximum = std::max(maximum, double{out_[key]});
    }
    double sum = 0;
    for (std::size_t key = 0; key < keys_; ++key) {
      out_[key] = static_cast<float>(std::exp(out_[key] - maximum));
      sum += out_[key];
    }
    for (std::size_t key = 0; key < keys_; ++key) out_[key] = static_cast<float>(out_[key] / sum);
  }

  const GuidedAttention& t_;
  std::size_t row_, begin_, keys_;
  float* out_;
};

}  // namespace

void guided_attention(ThreadPool& pool, const GuidedAttention& attention) {
  for_rows(pool, attention.rows_count.rows(), floats_of_row(attention.stride, attention.d_k),
           [&](std::size_t begin, std::size_t end) {
             for (std::size_t row = begin; row < end; ++row) Query(attention, row).compute();
           });
}

void guided_attention_query(ThreadPool& pool, const GuidedAttentionQuery& t) {
  const auto add = [&](std::size_t row) {
    const std::size_t first = t.key_ranges[2 * row], end = t.key_ranges[2 * row + 1];
    for (std::size_t key = first; key < end; ++key) {
      add_scaled(t.dq + (row * t.heads + t.head) * t.d_k, t.dscores[row * t.stride + key - first],
                 t.k + (key * t.heads + t.head) * t.d_k, t.d_k);
    }
  };
  for_rows(pool, t.rows_count.rows(), floats_of_row(t.stride, t.d_k),
           [&](std::size_t begin, std::size_t end) {
             for (std::size_t row = begin; row < end; ++row) add(row);
           });
}

void guided_attention_key(ThreadPool& pool, const GuidedAttentionKey& t) {
  const auto add = [&](std::size_t key) {
    for (std::size_t row = t.queries_of_key[2 * key]; row < t.queries_of_key[2 * key + 1]; ++row) {
      add_scaled(t.dk + (key * t.heads + t.head) * t.d_k,
                 t.dscores[row * t.stride + key - t.key_ranges[2 * row]],
                 t.q + (row * t.heads + t.head) * t.d_k, t.d_k);
    }
  };
  for_rows(pool, t.rows_count.rows(), floats_of_row(t.stride, t.d_k),
           [&](std::size_t begin, std::size_t end) {
             for (std::size_t key = begin; key < end; ++key) add(key);
           });
}

}  // namespace awend::host
