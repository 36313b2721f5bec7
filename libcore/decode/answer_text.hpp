// Output formats for the translations of a line.  Test:
// tests/unit/decode/answer_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "decode/translation.hpp"

namespace awend::decode {

enum class Output {
  kText,        ///< tokens, and " ||| " and the alignment if there is one
  kScores,      ///< score, tab, tokens
  kWordScores,  ///< ln P of each token and of the end, tab, tokens
  kNBest,       ///< "line ||| tokens ||| logprob= x ||| score", a line for each hypothesis
  kJson,        ///< an object with all of these and the text, on one line
};

/// The output for line number `line`, counted from 0, with the line feed.
std::string answer_text(Output form, std::uint64_t line, std::span<const Translation> hypotheses);

}  // namespace awend::decode
