// The hidden Markov model of word alignment (Vogel et al. 1996; Och and Ney 2003), for one sentence
// pair: target words come from source words or from no word, and the distance from one source word
// to the next decides how probable a step is.
//
// Test: tests/unit/align/hmm_test.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "align/lexicon.hpp"

namespace awend::align {

/// Probabilities of distances between the source words of successive target words, up to a factor;
/// larger distances count as the largest.
class Jumps {
 public:
  static constexpr int kFarthest = 40;

  /// Distances near 1 are more probable.
  Jumps();

  float operator[](int distance) const { return weights_[index(distance)]; }
  /// Adds to the count of a distance, in units of kCountUnit.
  static std::size_t index(int distance) {
    return static_cast<std::size_t>(std::min(std::max(distance, -kFarthest), kFarthest) +
                                    kFarthest);
  }
  using Counts = std::array<std::uint64_t, 2 * kFarthest + 1>;
  /// Sets the probabilities by counts.
  void estimate(const Counts& counts);
  std::span<const float> weights() const { return weights_; }

 private:
  std::array<float, 2 * kFarthest + 1> weights_;
};

/// For each source word the probability that the next target word comes from it again (He 2007),
/// estimated by counts that are smoothed with those of all words.
class Repetitions {
 public:
  explicit Repetitions(std::size_t source_words);

  float operator[](WordId source) const { return probabilities_[source]; }
  /// Adds to the counts of a word; any thread.
  void add(WordId source, double repeated, double all);
  /// Sets the probabilities by the counts, which then begin at 0.
  void estimate();

 private:
  struct Counts {
    std::uint64_t repeated = 0, all = 0;
  };
  std::vector<float> probabilities_;
  std::vector<Counts> counts_;
};

/// What decides about a target word, besides the lexicon.
enum class Positions {
  kDiagonal,  ///< Source words at the same relative place are more probable (Dyer et al. 2013).
  kMarkov,    ///< The hidden Markov model.
};

/// The alignment of one sentence pair: probabilities of all links.  An object keeps memory for the
/// next pair; not thread-safe.
class PairAligner {
 public:
  struct Model {
    const Lexicon& lexicon;
    const Jumps& jumps;
    const Repetitions& repetitions;
    double no_word;  ///< Probability that a target word comes from no word.
  };

  /// Computes the probabilities of all links.  Both sides must have a word.
  void compute(const Model& model, SentencePair pair, Positions positions);

  /// The probability that a target word comes from the source word at `source`.
  float link(std::size_t source, std::size_t target) const {
    return links_[target * (source_ + 1) + source + 1];
  }
  /// The probability that it comes from no word.
  float no_link(std::size_t target) const { return links_[target * (source_ + 1)]; }
  /// ln p(target | source).
  double log_probability() const { return log_probability_; }

  /// Adds the expected counts of the pair; those of steps only if the alignment is that of the
  /// Markov model.
  void add_counts(SentencePair pair, Lexicon& lexicon, Jumps::Counts& jumps,
                  Repetitions& repetitions) const;

 private:
  void look_up(const Model& model, SentencePair pair);
  void diagonal(const Model& model);
  void markov(const Model& model, std::span<const WordId> source);

  std::size_t source_ = 0, target_ = 0;  // numbers of words
  std::vector<std::uint32_t> places_;  // in the lexicon, of (target, no word and the source words)
  std::vector<float> lexical_;         // p(target word | no word or source word), like places_
  std::vector<float> links_;           // like places_
  std::vector<float> forward_, unlinked_, backward_, steps_, scales_, weights_, ahead_, again_;
  std::vector<float> jump_counts_;                 // from -l to l
  std::vector<float> again_counts_, step_counts_;  // of positions: of repetitions, and of all steps
  double log_probability_ = 0;
};

}  // namespace awend::align
