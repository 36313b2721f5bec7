// Output formats for the translations of a line.  Test:
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
  kJson,        ///< an object with all of these and the text, on one line
};

/// A hypothesis as it is written.
struct RenderedHypothesis {
  Hypothesis hypothesis;
  std::vector<std::string> tokens;
  std::optional<std::string> alignment = {};  ///< After the tokens, if requested.
  std::optional<std::string> text = {};       ///< Written instead of the tokens, if set.
};

/// The tokens of a token line.
std::string token_line(const std::vector<std::string>& tokens);

/// The hypothesis with its tokens and no annotations.
RenderedHypothesis render(const Hypothesis& hypothesis, const text::Vocabulary& vocabulary);

/// The output for line number `line`, counted from 0, with the line feed.
std::string answer_text(Output form, std::uint64_t line,
                        std::span<const RenderedHypothesis> hypotheses);

}  // namespace awend::decode
