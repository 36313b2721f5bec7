// Alignments drawn by Gibbs sampling (Östling and Tiedemann 2016): the source word of one target
// word after the other is drawn, given those of all other words of the text.  A word that was
// linked once is likely to be linked again, however rare it is, which expectations do not tell.
//
// Words are drawn by the lexicon, by the distances to the source words of the target words before
// and after, and by the number of target words that a source word has, its fertility.  Test:
// tests/unit/align/gibbs_chain_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/lexicon.hpp"
#include "base/random.hpp"

namespace awend::align {

/// The pairs of one direction, and where the lexicon has their words.
class PairPlaces {
 public:
  /// Keeps all places if they take at most `memory_bytes`; otherwise they are searched each time.
  /// `bitext` and `lexicon` must outlive the object.
  PairPlaces(const Bitext& bitext, Direction direction, const Lexicon& lexicon,
             std::size_t memory_bytes, unsigned threads);

  std::size_t size() const { return bitext_.size(); }
  SentencePair pair(std::size_t i) const { return bitext_.pair(i, direction_); }
  /// The number of target words of all pairs before this one; i <= size().
  std::uint64_t first_word(std::size_t i) const { return first_words_[i]; }
  /// For each target word the places of its pairs with no word and with the source words, or
  /// none(); valid until `scratch` changes.
  std::span<const std::uint32_t> of(std::size_t i, std::vector<std::uint32_t>& scratch) const;
  /// The place of pairs that the lexicon does not have.
  std::uint32_t none() const { return static_cast<std::uint32_t>(lexicon_.places()); }
  std::size_t longest_source() const { return longest_source_; }
  const Lexicon& lexicon() const { return lexicon_; }

 private:
  void search(std::size_t i, std::uint32_t* places) const;

  const Bitext& bitext_;
  const Direction direction_;
  const Lexicon& lexicon_;
  std::vector<std::uint64_t> first_words_, first_places_;
  std::vector<std::uint32_t> places_;  // empty: they are searched
  std::size_t longest_source_ = 0;
};

class GibbsChain {
 public:
  /// Counts that are added to those of the links; units of kCountUnit.
  struct Prior {
    std::span<const LexiconEntry> lexicon;
    std::span<const std::uint64_t> jumps;  ///< Of distances from -(n / 2) to n / 2.
  };
  /// Memory of a thread.
  class Scratch;

  /// Begins with `links`: for each target word of all pairs the position of its source word, or
  /// kNoLink.  `places` must outlive the chain.
  GibbsChain(const PairPlaces& places, std::size_t source_words, std::vector<std::int16_t> links,
             const Prior& prior, std::uint64_t seed);

  static constexpr std::int16_t kNoLink = -1;

  /// Draws all links once.
  void sweep();

  /// Adds, for each target word of a pair, the probabilities that it comes from no word and from
  /// the source words, given the links of all other words: (target words, 1 + source words).  Any
  /// thread.
  void add_probabilities(std::size_t i, Scratch& scratch, std::span<float> sums) const;

  class Scratch {
    friend class GibbsChain;
    std::vector<std::uint32_t> places_;
    // Of no word and the source words of a pair.
    std::vector<float> extra_, factors_, weights_;
    std::vector<std::uint32_t> fertilities_;
    bool has_repeated_words_ = false;  // of the source
    std::vector<int> next_;  // of each target word: the source position of the linked word after it
  };

 private:
  static constexpr std::size_t kFertilities = 8;  // the last: at least as many

  struct Word {
    double total = 0;                 // of millions of links, whose number a float does not count
    float growth[kFertilities] = {};  // p(fertility n + 1) / p(fertility n)
  };
  struct Sentence;

  Sentence enter(std::size_t i, Scratch& scratch) const;
  void set_factor(const Sentence& sentence, int position, float excluded) const;
  void set_factors(const Sentence& sentence, int position, float excluded) const;
  float weigh(const Sentence& sentence, std::size_t target, int before) const;
  void draw(std::size_t i);
  void count_steps();

  const PairPlaces& places_;
  const std::span<const std::uint64_t> prior_jumps_;
  base::Random random_;
  std::vector<std::int16_t> links_;
  std::vector<double> counts_;  // by place of the lexicon; a double for the reason of Word::total
  std::vector<Word> words_;
  std::vector<float> jumps_, reversed_jumps_;  // of distances from -longest_ to longest_, and back
  std::size_t longest_;
  Scratch scratch_;
};

}  // namespace awend::align
