// Learning a vocabulary from the words of a text.
//
// Byte pairs: repeatedly, the most frequent pair of neighbors becomes one piece; of equally
// frequent pairs, the greatest by code points, as in subword-nmt.  Word pieces: the substrings
// that segmentation would choose often.  Both are exact: the same words give the same bytes. Test:
// tests/unit/text/learn/learn_test.cpp, against a simple recount.
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
  TextForm form = {};               // applied to the words
  std::uint32_t size = 37000;       // all ids of the vocabulary
  std::uint64_t min_frequency = 2;  // of a character or a pair
  unsigned threads = 1;
  /// They follow the bytes; check_symbols() must have accepted them.  The count of a user symbol
  /// is the count of the word with its text.
  SymbolLists symbols = {};
  BertRules bert_rules = BertRules::kGoogle;  // of kBert
  /// Memory for data that grow with the number of different words.
  std::pmr::memory_resource* memory = std::pmr::get_default_resource();
};

/// Called with the number of pieces learned so far.
using LearnProgress = std::function<void(std::uint32_t pieces)>;

/// A vocabulary of `settings.size` ids, or of fewer if the text does not have enough pieces.
/// Requires: size > first_learned(settings).
Vocabulary learn(std::span<const WordCount> words, const LearnSettings& settings,
                 const LearnProgress& progress);

/// The first id of a character.
std::uint32_t first_learned(const LearnSettings& settings);

/// A content with special pieces, bytes and symbols.
VocabularyContent first_pieces(const LearnSettings& settings);

/// The characters that are frequent enough, in the spelling of pieces; the most frequent first.
std::vector<Piece> learn_alphabet(std::span<const WordCount> words, const LearnSettings& settings);

/// The positions of characters in the alphabet.
class AlphabetIndex {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  explicit AlphabetIndex(std::span<const Piece> alphabet);

  /// Calls visit(index, character in the spelling of pieces) for each character of a word.  The
  /// index is kNone for a character that is not in the alphabet, where a word is split into parts.
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

/// Word pieces of BERT from words after a space: [PAD], [UNK], [CLS], [SEP], [MASK], each character
/// of the alphabet at the beginning and within a word, and the pieces of learn_word_pieces() in the
/// spelling of BERT.  Requires: no symbols, and size >= kMinBertPieces.
inline constexpr std::uint32_t kMinBertPieces = 6;
Vocabulary learn_bert(std::span<const WordCount> words, const LearnSettings& settings,
                      const LearnProgress& progress);

/// The two algorithms.  They do not set the counts of the pieces.
VocabularyContent learn_pairs(std::span<const WordCount> words, std::span<const Piece> alphabet,
                              const LearnSettings& settings, const LearnProgress& progress);
VocabularyContent learn_word_pieces(std::span<const WordCount> words,
                                    std::span<const Piece> alphabet, const LearnSettings& settings,
                                    const LearnProgress& progress);

}  // namespace awend::text
