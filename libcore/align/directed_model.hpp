// A model by which target words come from source words, estimated from a bitext: expectation
// maximization with the positions of Dyer et al. (2013), then as a hidden Markov model, with
// variational Bayes; then by sampling, in several independent chains.
//
// The bytes of the result do not depend on the number of threads.  Test:
// tests/unit/align/aligner_test.cpp.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "align/gibbs_chain.hpp"
#include "align/hmm.hpp"

namespace awend::align {

// The seed of a chain has its number in the lowest bits.
inline constexpr int kChainBits = 8;
inline constexpr std::uint64_t kLargestSeed = UINT64_MAX >> kChainBits;

struct ModelSettings {
  unsigned threads = 1;
  std::size_t memory_bytes = std::size_t{1}
                             << 30;  ///< For the counts of all pairs of words that occur together.
  int diagonal_iterations = 2;
  int markov_iterations = 1;
  /// How often each chain draws all links; nothing: more often for a shorter text.
  std::optional<int> sweeps = std::nullopt;
  std::uint64_t seed = 1;  ///< At most kLargestSeed.
  double alpha = 0.08;     ///< Of the Dirichlet prior of the lexicon.
  double no_word = 0.27;   ///< Probability that a target word comes from no word.
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

  /// Chains draw samples from where the estimation ended; each may run on a thread of its own.
  unsigned chains() const;
  void begin_chains();
  void run_chain(unsigned chain, const PriorCounts& prior);

  /// Memory of a thread.
  struct Scratch {
    PairAligner aligner;
    GibbsChain::Scratch chain;
    std::vector<float> sums;
  };

  SentencePair pair(std::size_t i) const;
  /// For each target word of a pair the source word from which it most likely comes, or
  /// GibbsChain::kNoLink.
  std::vector<int> align(std::size_t i, Scratch& scratch) const;
  /// ln p(target | source) of the hidden Markov model.
  double log_probability(std::size_t i, PairAligner& aligner) const;

  /// The expected counts of the text under the model, and those of a prior.
  PriorCounts counts(const PriorCounts& prior);

 private:
  std::vector<int> align_by_markov(std::size_t i, PairAligner& aligner) const;
  int sweeps() const;
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
  std::unique_ptr<const PairPlaces> places_;  // of the chains
  std::vector<std::int16_t> start_;
  std::vector<std::unique_ptr<const GibbsChain>> chains_;
};

}  // namespace awend::align
