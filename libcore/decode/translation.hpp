// A translation of a line, and what lines are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "decode/alignment_weights.hpp"
#include "decode/search.hpp"

namespace awend::decode {

enum class LineForm {
  kRaw,     ///< Text, which the model's vocabularies split and join.
  kTokens,  ///< Tokens of the vocabulary with spaces between them.
};

struct Translation {
  Hypothesis hypothesis;            ///< Its ids, score and log-probabilities.
  std::vector<std::string> tokens;  ///< Of the vocabulary, or as in the source if replaced.
  std::optional<std::string> alignment = {};  ///< Only of the program translate, if requested.
  std::optional<Alignment> weights = {};      ///< The same, of tokens.
  std::optional<std::string> text = {};       ///< Of a raw line: the text.

  double score() const { return hypothesis.score; }
  /// The text, or a token line.
  std::string line() const;
};

}  // namespace awend::decode
