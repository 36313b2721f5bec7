// What a character is to a tokenizer.
//
// sacreBLEU's tokenizers are chains of regular expressions that do nothing but put spaces around
// characters.  So a word is always a piece of the line, and the chains come down to five kinds of
// characters, which this file tells apart, and one rule for where marks stand (see words.cpp).
// Test: tests/unit/metrics/words_test.cpp holds every code point against the expressions
// themselves.
#pragma once

#include <array>
#include <cstdint>

namespace awend::metrics {

enum class Tokenizer { k13a, kIntl, kZh, kChar, kNone, kSentencePiece, kMecab };

enum class Mark : std::uint8_t {
  kLetter,  // anything else: a part of a word
  kNumber,  // keeps a mark beside it
  kMark,    // set apart unless numbers stand on both sides
  kHyphen,  // set apart behind a number
  kAlone,   // always a word of its own
  kSpace,   // between words
};

/// The kind of each character of ASCII.
const std::array<Mark, 128>& ascii_marks(Tokenizer tokenizer);

/// The kind of a character beyond ASCII.
Mark mark_beyond_ascii(char32_t character, Tokenizer tokenizer);

}  // namespace awend::metrics
