// The word of each piece of a token line: words are separated by spaces in the decoded text.  Test:
// tests/unit/text/piece_words_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "text/vocabulary.hpp"

namespace awend::text {

/// The word number of each token, from 0, not decreasing.  In vocabularies of build-vocab and
/// SentencePiece, U+2581 begins a word, and alone belongs to the next one, or at the end to the
/// last one, so that there are no empty words between spaces; in subword-nmt, every piece that does
/// not end in the separator ends one; in BERT, every piece without ## begins one.
std::vector<std::uint32_t> words_of_pieces(const Vocabulary& vocabulary,
                                           std::span<const std::string_view> tokens);

}  // namespace awend::text
