// Which word each piece of a token line belongs to: what stands between spaces once the pieces are
// text again.  Test: tests/unit/text/piece_words_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "text/vocabulary.hpp"

namespace awend::text {

/// The number of the word of each token, from 0, rising.  In our own types and SentencePiece's
/// U+2581 begins a word; in subword-nmt's every piece ends one that does not end with the
/// separator.
std::vector<std::uint32_t> words_of_pieces(const Vocabulary& vocabulary,
                                           std::span<const std::string_view> tokens);

}  // namespace awend::text
