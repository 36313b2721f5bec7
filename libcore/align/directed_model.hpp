// A model by which target words come from source words, estimated from a bitext: expectation
// maximization with the positions of Dyer et al. (2013), then as a hidden Markov model, with
// variational Bayes.
//
// The bytes of the result do not depend on the number of threads.  Test:
// tests/unit/align/aligner_test.cpp.
#pragma once

#include <functional>
#include <vector>

#include "align/hmm.hpp"

namespace awend::align {

/// Which side of a bitext is the source of a model.
enum class Direction { kForward, kReverse };

struct ModelSettings {
  unsigned threads = 1;
  std::size_t memory_bytes = std::size_t{1}
                             << 30;  ///< For the counts of all pairs of words that occur together.
  int diagonal_iterations = 5;
  int markov_iterations = 6;
  double alpha = 0.08;    ///< Of the Dirichlet prior of the lexicon.
  double no_word = 0.27;  ///< Probability that a target word comes from no word.
};

/// Counts that are added to those of the text.
struct PriorCounts {
  std::vector<LexiconEntry> lexicon;
  Jumps::Counts jumps{};
};

class DirectedModel {
 public:
  /// `bitext` must outlive the object.  `progress` is called with the number of iterations done.
  DirectedModel(const Bitext& bitext, Direction direction, const ModelSettings& settings,
                const PriorCounts& prior, const std::function<void(int)>& progress);

  SentencePair pair(std::size_t i) const;
  /// For each target word of a pair the source word from which it most likely comes, or -1; and ln
  /// p(target | source).
  struct Alignment {
    std::vector<int> sources;
    double log_probability = 0;
  };
  Alignment align(std::size_t i, PairAligner& aligner) const;

  /// The expected counts of the text under the model, and those of a prior.
  PriorCounts counts(const PriorCounts& prior);

 private:
  std::size_t source_words() const;
  Lexicon collect(const PriorCounts& prior) const;
  Jumps::Counts expect(Positions positions);
  void add(const PriorCounts& prior, Jumps::Counts& jumps);

  const Bitext& bitext_;
  const Direction direction_;
  const ModelSettings settings_;
  Lexicon lexicon_;
  Jumps jumps_;
  Repetitions repetitions_;
};

}  // namespace awend::align
