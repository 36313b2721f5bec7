// The words of a line as BERT's basic tokenizer finds them (Devlin et al. 2019): at white space, at
// each character of punctuation, and at each Chinese character.  In lowercase, accents are removed.
//
// Test: tests/unit/text/bert/word_pieces_test.cpp, with $AWEND_CONFORMANCE/wordpiece if available.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/normalize.hpp"

namespace awend::text {

/// Each thread has its own, because it owns the memory of its last result.
class BertWords {
 public:
  /// kLower: lowercase without accents, as the uncased models of BERT.
  explicit BertWords(LetterCase letter_case) : letter_case_(letter_case) {}

  /// The words of `line`, which must be valid UTF-8.  Valid until the next call.
  const std::vector<std::string_view>& split(std::string_view line);

 private:
  void clean(std::string_view line);
  void split_at_punctuation(std::string_view field);

  LetterCase letter_case_;
  std::string clean_;  // with one kind of white space, and Chinese characters between spaces
  std::string text_;   // the words, each followed by a space
  std::vector<std::string_view> words_;
};

/// `utf8` in canonical decomposition without nonspacing marks: letters without their accents.
std::string without_accents(std::string_view utf8);

}  // namespace awend::text
