// BLEU of all pairs of texts.  Test: tests/unit/metrics/mbr/pairwise_test.cpp.
#pragma once

#include "metrics/bleu/words.hpp"
#include "metrics/mbr/pairwise_matches.hpp"
#include "metrics/metric.hpp"
#include "metrics/word_ids.hpp"

namespace awend::metrics {

class PairwiseBleu : public PairwiseScorer {
 public:
  /// `metric` computes the score from statistics.
  PairwiseBleu(const Metric& metric, const WordCutter& cutter, std::size_t max_order);
  void score(std::span<const std::string_view> hypotheses,
             std::span<const std::string_view> references, std::span<double> values) override;

 private:
  using Texts = std::vector<PairwiseMatches::Symbols>;
  Texts read(std::span<const std::string_view> lines);

  const Metric& metric_;
  WordCutter cutter_;
  std::size_t max_order_;
  PairwiseMatches shared_;
  WordIds ids_;
  Words words_;
};

}  // namespace awend::metrics
