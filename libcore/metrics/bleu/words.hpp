// Lines become the words that a metric counts.
//
// A number is comparable only if these words are exactly those of sacreBLEU, so the rules are its
// rules: "13a" is the tokenizer of NIST's mteval-v13a, "intl" that of its version 14, "zh" cuts
// Chinese into characters, "char" everything, "none" at white space, and the last kinds ask a
// SentencePiece model or MeCab.  White space is what Python's str.split() takes for it.  Test:
// tests/unit/metrics/words_test.cpp, against sacreBLEU's own outputs and the rules written out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/bleu/marks.hpp"
#include "text/mecab.hpp"
#include "text/sentencepiece/model.hpp"

namespace awend::metrics {

/// The name in options and signatures: "13a", "intl", "zh", "char", "none"; "spm" and "ja-mecab"
/// for the last kinds.
std::string_view name_of(Tokenizer tokenizer);

/// The tokenizer of that name, if there is one.  "flores101", "flores200" and "spBLEU-1K" are
/// SentencePiece models, as is "spm", which is any; "ja-mecab" and "ko-mecab" are dictionaries of
/// MeCab.
std::optional<Tokenizer> tokenizer_named(std::string_view name);

enum class LetterCase { kMixed, kLower };

/// Views of words, into the line they came from or into `text`.
struct Words {
  std::string text;
  std::vector<std::string_view> words;
};

/// Immutable.
class WordCutter {
 public:
  /// `model` is for Tokenizer::kSentencePiece, `mecab` for kMecab; they outlive the cutter.
  explicit WordCutter(Tokenizer tokenizer, LetterCase letter_case = LetterCase::kMixed,
                      const text::SentencePieceModel* model = nullptr,
                      const text::Mecab* mecab = nullptr);

  /// The words of a line of UTF-8, which must outlive them, in place of those that were there.
  void cut(std::string_view line, Words& words) const;

 private:
  struct Field {
    std::size_t begin, end;
    std::size_t marks;
    Mark last;
  };
  void cut_by_marks(std::string_view line, std::vector<std::string_view>& words) const;
  void cut_field(std::string_view line, const Field& field,
                 std::vector<std::string_view>& words) const;
  Mark mark_at(std::string_view line, std::size_t position, std::size_t& size_bytes) const;

  Tokenizer tokenizer_;
  LetterCase letter_case_;
  const text::SentencePieceModel* model_;
  const text::Mecab* mecab_;
  const std::array<Mark, 128>* ascii_;
};

}  // namespace awend::metrics
