// The words of a line as BERT's basic tokenizer finds them (Devlin et al. 2019): at white space, at
// each character of punctuation, and at each Chinese character.  In lowercase, accents are removed.
//
// The library tokenizers of Hugging Face, which transformers uses, also removes characters for
// private use, knows characters up to version 8 of Unicode, has a larger block of Chinese
// characters, and lowercases each character alone, so that Σ at the end of a word becomes σ.
//
// Test: tests/unit/text/bert/word_pieces_test.cpp, with $AWEND_CONFORMANCE/wordpiece if available.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/normalize.hpp"
#include "text/vocabulary.hpp"

namespace awend::text {

/// Each thread has its own, because it owns the memory of its last result.
class BertWords {
 public:
  /// kLower: lowercase without accents, as the uncased models of BERT.
  BertWords(LetterCase letter_case, BertRules rules) : letter_case_(letter_case), rules_(rules) {}

  /// The words of `line`, which must be valid UTF-8.  Valid until the next call.
  const std::vector<std::string_view>& split(std::string_view line);

 private:
  void clean(std::string_view line);
  void split_at_punctuation(std::string_view field);

  LetterCase letter_case_;
  BertRules rules_;
  std::string clean_;  // with one kind of white space, and Chinese characters between spaces
  std::string text_;   // the words, each followed by a space
  std::vector<std::string_view> words_;
};

/// Whether a word is too long to be written in pieces: it has more than 200 characters, or more
/// than 100 with the rules of Hugging Face.
bool is_too_long_for_bert(std::string_view word, BertRules rules);

/// `utf8` in canonical decomposition without nonspacing marks: letters without their accents.
std::string without_accents(std::string_view utf8, BertRules rules = BertRules::kGoogle);

}  // namespace awend::text
