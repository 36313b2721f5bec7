// Removes tokens from the vocabularies of a model: of the many words of a multilingual model, most
// belong to languages that nobody needs.  Embeddings get smaller, ids change; the logits of the
// tokens that remain are the same.
//
// Test: tests/unit/interchange/keep_tokens_test.cpp.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "base/lines.hpp"
#include "interchange/converted_model.hpp"

namespace awend::interchange {

using TokenSet = std::set<std::string, std::less<>>;

/// The words of all lines, between spaces: a list of tokens, or token lines.
TokenSet tokens_in(base::LineReader& in);

struct TokenCounts {
  std::uint32_t before, after;  ///< Of the target.
};

/// Keeps these tokens, those of languages and of bytes, and those that the model or its search
/// treats specially.  Text is still split into the pieces of the original; pieces that are not kept
/// become the unknown token.  Throws Error for another model than a Transformer with a vocabulary
/// of tokens or a SentencePiece model, and if none of the tokens are in its vocabularies.
TokenCounts keep_tokens(ConvertedModel& model, const TokenSet& tokens);

}  // namespace awend::interchange
