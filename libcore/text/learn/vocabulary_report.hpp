// Statistics of a vocabulary on its training text, to help users choose its size. Test:
// tests/unit/text/learn/vocabulary_report_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "text/learn/word_counts.hpp"
#include "text/vocabulary.hpp"

namespace awend::text {

/// One statistic per line, `name<tab>value`: numbers of ids by kind, number of tokens and tokens
/// per word, shares of bytes and unknown pieces, unused pieces, and the rarest used pieces.
std::string vocabulary_report(const Vocabulary& vocabulary, std::span<const WordCount> words);

}  // namespace awend::text
