// Word alignment of a bitext: models of both directions, and one alignment for each sentence pair.
// Test: tests/unit/align/aligner_test.cpp.
#pragma once

#include <optional>

#include "align/directed_model.hpp"
#include "align/prior.hpp"
#include "align/symmetrize.hpp"

namespace awend::align {

struct AlignerSettings {
  ModelSettings model;
  Symmetrization symmetrization = Symmetrization::kGrowDiagFinalAnd;
};

class Aligner {
 public:
  /// Estimates the models.  `bitext` must outlive the object; `progress` is called with the share
  /// that is done.
  Aligner(const Bitext& bitext, const AlignerSettings& settings, const Priors& priors,
          const std::function<void(double)>& progress);

  /// The links of a pair of the bitext.  Any thread, each with a scratch of its own.
  std::vector<text::Link> align(std::size_t i, DirectedModel::Scratch& scratch) const;
  /// The mean of ln p(word | other side) of the words of the directions used; -infinity for a pair
  /// with an empty side.
  double score(std::size_t i, DirectedModel::Scratch& scratch) const;

  /// The expected counts of both directions and those of a prior; empty for a direction that is not
  /// used.
  Priors counts(const Priors& prior);

 private:
  void sample(const Priors& priors, unsigned threads,
              const std::function<void(unsigned done)>& progress);

  const Bitext& bitext_;
  const Symmetrization symmetrization_;
  std::optional<DirectedModel> forward_, reverse_;
};

}  // namespace awend::align
