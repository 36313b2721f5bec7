// Learning a vocabulary from the words of a text.
//
// Byte pairs: the most frequent pair of neighbours becomes one piece, again and again; among equals
// the greatest pair by code points, the rule of subword-nmt.  Word pieces: the substrings that
// segmentation itself would choose often. Both are exact: the same words give the same bytes. Test:
// tests/unit/text/learn_test.cpp, against a plain recount.
#pragma once

#include <cstdint>
#include <functional>
#include <memory_resource>
#include <span>
#include <vector>

#include "base/utf8.hpp"
#include "text/learn/word_counts.hpp"
#include "text/symbol_splitter.hpp"
#include "text/symbols.hpp"
#include "text/vocabulary.hpp"

namespace awend::text {

struct LearnSettings {
  VocabularyType type = VocabularyType::kBpe;
  TextForm form = {};               // what the words went through
  std::uint32_t size = 37000;       // of the vocabulary: all ids
  std::uint64_t min_frequency = 2;  // of a character or a pair
  unsigned threads = 1;
  /// They follow the bytes; check_symbols() has accepted them.  A user symbol's count is that of
  /// the word with its text.
  SymbolLists symbols = {};
  /// For what grows with the number of different words.
  std::pmr::memory_resource* memory = std::pmr::get_default_resource();
};

/// Told how many of the pieces are there.
using LearnProgress = std::function<void(std::uint32_t pieces)>;

/// A vocabulary of `settings.size` ids, or of fewer where the text has no more to offer.
/// REQUIRES: size > first_learned(settings).
Vocabulary learn(std::span<const WordCount> words, const LearnSettings& settings,
                 const LearnProgress& progress);

/// The first id of a character.
std::uint32_t first_learned(const LearnSettings& settings);

/// A content with special pieces, bytes and symbols.
VocabularyContent first_pieces(const LearnSettings& settings);

/// The characters that are frequent enough, the most frequent first, as pieces write them.
std::vector<Piece> learn_alphabet(std::span<const WordCount> words, const LearnSettings& settings);

/// Where in the alphabet the characters of words are.
class AlphabetIndex {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  explicit AlphabetIndex(std::span<const Piece> alphabet);

  /// Calls visit(index, character as pieces write it) for each character of a word; the index is
  /// kNone for one that is not in the alphabet, which is where a word falls into parts.
  template <class Visit>
  void for_each(std::string_view word, const Visit& visit) const {
    for (std::size_t position = 0; position < word.size();) {
      const base::Utf8Step step = base::utf8_step(word, position);
      const std::string_view character = word.substr(position, step.size_bytes);
      const std::uint32_t index =
          step.code_point < indices_.size() ? indices_[step.code_point] : kNone;
      visit(index, step.code_point == U' ' ? kSpaceMarker : character);
      position += step.size_bytes;
    }
  }

 private:
  std::vector<std::uint32_t> indices_;  // by code point
};

/// The two ways.  The content's counts are still to be filled in.
VocabularyContent learn_pairs(std::span<const WordCount> words, std::span<const Piece> alphabet,
                              const LearnSettings& settings, const LearnProgress& progress);
VocabularyContent learn_word_pieces(std::span<const WordCount> words,
                                    std::span<const Piece> alphabet, const LearnSettings& settings,
                                    const LearnProgress& progress);

}  // namespace awend::text
