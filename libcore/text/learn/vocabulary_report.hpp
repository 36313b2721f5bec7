// What a vocabulary does to the text that it was learnt from, for people who choose its size.
// Test: tests/unit/text/vocabulary_report_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "text/learn/word_counts.hpp"
#include "text/vocabulary.hpp"

namespace awend::text {

/// The figures, a line each, `name<tab>value`: how many ids of which kind, how many tokens the text
/// has and how many a word; how much of it is written as bytes or unknown; pieces that are never
/// used, and the rarest of the others.
std::string vocabulary_report(const Vocabulary& vocabulary, std::span<const WordCount> words);

}  // namespace awend::text
