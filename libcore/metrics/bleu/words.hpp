// Splitting lines into the words that a metric counts.
//
// Scores are comparable only if these words are exactly those of sacreBLEU, so its rules are used:
// "13a" is the tokenizer of NIST's mteval-v13a, "intl" that of its version 14, "zh" splits Chinese
// into characters, "char" splits everything, "none" splits at white space, and the others use a
// SentencePiece model or MeCab.  White space is defined by Python's str.split().  Test:
// tests/unit/metrics/bleu/words_test.cpp, against outputs of sacreBLEU and its rules.
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
/// for the others.
std::string_view name_of(BleuTokenizer tokenizer);

/// The tokenizer with this name, if there is one.  "flores101", "flores200" and "spBLEU-1K" are
/// SentencePiece models, and "spm" is any such model; "ja-mecab" and "ko-mecab" are dictionaries of
/// MeCab.
std::optional<BleuTokenizer> tokenizer_named(std::string_view name);

enum class LetterCase { kMixed, kLower };

/// Views of words in the line or in `text`.
struct Words {
  std::string text;
  std::vector<std::string_view> words;
};

/// Immutable.
class WordCutter {
 public:
  /// `model` is for BleuTokenizer::kSentencePiece, `mecab` for kMecab; they outlive the cutter.
  explicit WordCutter(BleuTokenizer tokenizer, LetterCase letter_case = LetterCase::kMixed,
                      const text::SentencePieceModel* model = nullptr,
                      const text::Mecab* mecab = nullptr);

  /// Replaces the words with those of a line of UTF-8, which must outlive them.
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

  BleuTokenizer tokenizer_;
  LetterCase letter_case_;
  const text::SentencePieceModel* model_;
  const text::Mecab* mecab_;
  const std::array<Mark, 128>* ascii_;
};

}  // namespace awend::metrics
