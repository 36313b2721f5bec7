// Lists of candidates with features, and the choice of one candidate of each list by a weighted sum
// of them.
//
// Test: tests/unit/metrics/rerank/weight_search_test.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace awend::metrics {

class CandidateFeatures {
 public:
  explicit CandidateFeatures(std::size_t features) : features_(features) {}

  /// Begins a list.
  void begin_list() { begins_.push_back(candidates()); }
  /// Adds a candidate to the list.  Requires: values.size() is features(), and they are finite.
  void add(std::span<const double> values) {
    values_.insert(values_.end(), values.begin(), values.end());
  }

  std::size_t features() const { return features_; }
  std::size_t lists() const { return begins_.size(); }
  std::size_t candidates() const { return features_ == 0 ? 0 : values_.size() / features_; }
  std::size_t begin(std::size_t list) const { return begins_[list]; }
  std::size_t end(std::size_t list) const {
    return list + 1 < begins_.size() ? begins_[list + 1] : candidates();
  }
  std::span<const double> of(std::size_t candidate) const {
    return std::span(values_).subspan(candidate * features_, features_);
  }
  /// The sum of the features of a candidate, each times its weight.
  double sum(std::size_t candidate, std::span<const double> weights) const;
  /// The first of the candidates of a list with the greatest sum.
  std::size_t best(std::size_t list, std::span<const double> weights) const;
  /// The standard deviation of each feature from its mean over a list.
  std::vector<double> deviations() const;

 private:
  std::size_t features_;
  std::vector<std::size_t> begins_;
  std::vector<double> values_;  // (candidates, features)
};

}  // namespace awend::metrics
