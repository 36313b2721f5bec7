// chrF of all pairs of texts.  Test: tests/unit/metrics/mbr/pairwise_test.cpp.
#pragma once

#include "metrics/chrf/chrf.hpp"
#include "metrics/chrf/line.hpp"
#include "metrics/mbr/pairwise_matches.hpp"
#include "metrics/word_ids.hpp"

namespace awend::metrics {

class PairwiseChrf : public PairwiseScorer {
 public:
  PairwiseChrf(const Chrf& metric, const ChrfSettings& settings);
  void score(std::span<const std::string_view> hypotheses,
             std::span<const std::string_view> references, std::span<double> values) override;

 private:
  /// The characters or the words of all texts.
  struct Side {
    explicit Side(int n) : orders(static_cast<std::size_t>(n)), shared(orders) {}
    std::size_t orders;
    PairwiseMatches shared;
    std::vector<ChrfLine::Symbols> hypotheses = {}, references = {};
  };
  struct Pair {
    std::size_t hypothesis, reference;
  };
  void read(std::span<const std::string_view> texts, std::vector<ChrfLine::Symbols>& characters,
            std::vector<ChrfLine::Symbols>& words);
  static void write_statistics(const Side& side, const std::vector<ChrfLine::Symbols>& references,
                               Pair pair, std::span<std::int64_t> statistics);

  const Chrf& metric_;
  ChrfLine line_;
  Side characters_, words_;
  WordIds ids_;
  std::vector<std::int64_t> row_;
};

}  // namespace awend::metrics
