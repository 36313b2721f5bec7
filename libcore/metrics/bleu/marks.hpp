// The role of a character in a tokenizer.
//
// sacreBLEU's tokenizers are chains of regular expressions that only insert spaces around
// characters.  So a word is always a substring of the line, and the chains are equivalent to five
// kinds of characters, which this file distinguishes, and one rule for the position of marks (see
// words.cpp). Test: tests/unit/metrics/bleu/words_test.cpp compares every code point with the
// expressions.
#pragma once

#include <array>
#include <cstdint>

namespace awend::metrics {

enum class BleuTokenizer { k13a, kIntl, kZh, kChar, kNone, kSentencePiece, kMecab };

enum class Mark : std::uint8_t {
  kLetter,  // anything else: part of a word
  kNumber,  // keeps an adjacent mark
  kMark,    // separated unless between numbers
  kHyphen,  // separated after a number
  kAlone,   // always a separate word
  kSpace,   // between words
};

/// The kind of each character of ASCII.
const std::array<Mark, 128>& ascii_marks(BleuTokenizer tokenizer);

/// The kind of a character beyond ASCII.
Mark mark_beyond_ascii(char32_t character, BleuTokenizer tokenizer);

}  // namespace awend::metrics
