// Words between which tags can be: those of Unicode, with numbers in one piece.
//
// Test: tests/unit/text/markup/words_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/text_range.hpp"
#include "text/vocabulary.hpp"
#include "text/words.hpp"

namespace awend::text {

/// The words of a text and its punctuation marks; all but white space is in one of them.  Each of
/// `whole`, in order, is a word of its own.
std::vector<TextRange> markup_words(std::string_view text, std::span<const TextRange> whole,
                                    WordBreaker& breaker);

/// The number of the word in which each token begins; not decreasing.  The tokens are those of the
/// text or of its normalized form; where these differ, the numbers are estimates.
std::vector<std::uint32_t> words_of_tokens(const Vocabulary& vocabulary,
                                           std::span<const std::string> tokens,
                                           std::string_view text, std::span<const TextRange> words);

}  // namespace awend::text
