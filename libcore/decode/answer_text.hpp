// The forms in which the translations of a line are written.  Test:
// tests/unit/decode/answer_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "decode/beam.hpp"
#include "text/vocabulary.hpp"

namespace awend::decode {

enum class Output {
  kText,        ///< tokens
  kScores,      ///< score, tab, tokens
  kWordScores,  ///< ln P of each token and of the end, tab, tokens
  kNBest,       ///< "line ||| tokens ||| logprob= x ||| score", a line for each hypothesis
  kJson,        ///< an object with all of that, on one line
};

/// What is written for line number `line`, from 0, with the line feed.
std::string answer_text(Output form, std::uint64_t line, std::span<const Hypothesis> hypotheses,
                        const text::Vocabulary& vocabulary);

}  // namespace awend::decode
