// Which texts SentencePiece's trainer accepts as pieces: at most 16 characters, of one script, and
// with U+2581 only at the beginning.
//
// Scripts are those of ICU; SentencePiece has a table of its own, of Unicode 10 or so, in which
// characters that were added later belong to no script.
// Test: tests/unit/text/sentencepiece/pair_trainer_test.cpp.
#pragma once

#include <string_view>

namespace awend::text {

enum class DigitRule {
  kTogether,  // digits with digits
  kEach,      // each digit is a piece
};

bool is_possible_piece(std::string_view text, DigitRule digits);

}  // namespace awend::text
