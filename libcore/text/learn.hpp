// Learning a vocabulary from the words of a text.
//
// Byte pairs: the most frequent pair of neighbours becomes one piece, again and again; among equals
// the greatest pair by code points, the rule of subword-nmt.  Word pieces: the substrings that
// segmentation itself would choose often. Both are exact: the same words give the same bytes. Test:
// tests/unit/text/learn_test.cpp, against a plain recount.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "text/vocabulary.hpp"
#include "text/word_counts.hpp"

namespace awend::text {

struct LearnSettings {
  VocabularyType type = VocabularyType::kBpe;
  Normalization normalization = Normalization::kNfc;  // what the words went through
  std::uint32_t size = 37000;                         // of the vocabulary: all ids
  std::uint64_t min_frequency = 2;                    // of a character or a pair
};

/// Told how many of the pieces are there.
using LearnProgress = std::function<void(std::uint32_t pieces)>;

/// A vocabulary of `settings.size` ids, or of fewer where the text has no more to offer.
/// REQUIRES: size > Vocabulary::kFirstCharacter.
Vocabulary learn(std::span<const WordCount> words, const LearnSettings& settings,
                 const LearnProgress& progress);

/// What both ways of learning begin with.
struct LearnInput {
  std::vector<Piece> alphabet;  // characters by falling count, as pieces write them
  std::vector<WordCount>
      parts;  // words as pieces write them, cut at characters that are not in the alphabet
};
LearnInput learn_input(std::span<const WordCount> words, const LearnSettings& settings);

/// The two ways.  The content's counts are still to be filled in.
VocabularyContent learn_pairs(const LearnInput& input, const LearnSettings& settings,
                              const LearnProgress& progress);
VocabularyContent learn_word_pieces(const LearnInput& input, const LearnSettings& settings,
                                    const LearnProgress& progress);

}  // namespace awend::text
