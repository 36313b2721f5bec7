// The forms in which the translations of a line are written.  Test:
// tests/unit/decode/answer_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "decode/beam.hpp"
#include "text/vocabulary.hpp"

namespace awend::decode {

enum class Output {
  kText,        ///< tokens, and " ||| " and the alignment if there is one
  kScores,      ///< score, tab, tokens
  kWordScores,  ///< ln P of each token and of the end, tab, tokens
  kNBest,       ///< "line ||| tokens ||| logprob= x ||| score", a line for each hypothesis
  kJson,        ///< an object with all of that, on one line; text and tokens are both in it
};

/// A hypothesis as it is shown.
struct Shown {
  Hypothesis hypothesis;
  std::vector<std::string> tokens;
  std::optional<std::string> alignment = {};  ///< After the tokens, if requested.
  std::optional<std::string> text = {};       ///< Written instead of the tokens, if it is set.
};

/// The tokens of a token line.
std::string token_line(const std::vector<std::string>& tokens);

/// Its own tokens and nothing else.
Shown plain(const Hypothesis& hypothesis, const text::Vocabulary& vocabulary);

/// What is written for line number `line`, from 0, with the line feed.
std::string answer_text(Output form, std::uint64_t line, std::span<const Shown> hypotheses);

}  // namespace awend::decode
