// Which texts SentencePiece's trainer accepts as pieces: at most 16 characters, of one script, and
// with U+2581 only at the beginning.
//
// Scripts are those of Unicode 9, as in SentencePiece, whatever the version of ICU.  Test:
// tests/unit/text/sentencepiece/pair_trainer_test.cpp.
#pragma once

#include <string_view>

namespace awend::text {

enum class DigitRule {
  kTogether,  // digits with digits
  kEach,      // each digit is a piece
};

bool is_possible_piece(std::string_view text, DigitRule digits);

}  // namespace awend::text
