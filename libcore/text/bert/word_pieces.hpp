// WordPiece as in BERT (Devlin et al. 2019): the longest piece that begins a word, then the longest
// that continues it, and so on.  A piece that continues a word is written with ## before it.  A
// word that cannot be written so, or that is longer than 200 characters (100 with the rules of
// Hugging Face), is [UNK].
//
// Test: tests/unit/text/bert/word_pieces_test.cpp, with $AWEND_CONFORMANCE/wordpiece if available.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "text/bert/words.hpp"
#include "text/vocabulary.hpp"

namespace awend::text {

/// What the pieces of BERT are called that are not text.
struct BertPieces {
  static constexpr std::string_view kPadding = "[PAD]", kUnknown = "[UNK]", kClass = "[CLS]",
                                    kSeparator = "[SEP]", kMask = "[MASK]";
  static constexpr std::string_view kAll[] = {kPadding, kUnknown, kClass, kSeparator, kMask};
  static constexpr std::string_view kContinuation = "##";
};

/// Splits words.  Each thread has its own.
class BertWordPieces {
 public:
  /// The vocabulary, of type kBert, must outlive it.
  explicit BertWordPieces(const Vocabulary& vocabulary);

  /// Appends the ids of a word of BertWords.
  void append(std::string_view word, Ids& ids);

 private:
  const Vocabulary& vocabulary_;
  std::size_t longest_bytes_ = 0;  // of a piece
  std::string piece_;
};

/// The ids of a raw line.  `[MASK]` in it is the piece of that name; other special pieces cannot
/// be produced by text.  Requires: valid UTF-8.
class BertTokenizer {
 public:
  explicit BertTokenizer(const Vocabulary& vocabulary);
  const Ids& encode(std::string_view line);

 private:
  void append_text(std::string_view text);

  BertWords words_;
  BertWordPieces pieces_;
  std::optional<std::uint32_t> mask_;
  Ids ids_;
};

/// The vocabulary of a list of pieces, one per line, as BERT's vocab.txt: the id of a piece is the
/// number of its line, from 0.  Throws Error "name:line: what" for a list that is not one.
Vocabulary import_word_pieces(std::string_view list, const std::string& name,
                              LetterCase letter_case, BertRules rules);

/// Pieces that begin words after a space; those of special meaning, padding and ends, are left out.
/// Words and the spaces between them are not those of the original text.
std::string join_word_pieces(const Vocabulary& vocabulary, std::span<const std::uint32_t> ids);

}  // namespace awend::text
