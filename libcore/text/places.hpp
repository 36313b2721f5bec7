// The positions of tokens in their line, for display. Test: tests/unit/text/places_test.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace awend::text {

/// A token and its bytes [begin, end) in the line; nothing if they were not found there because the
/// text was normalized or the token is a control symbol.
struct PlacedToken {
  std::string_view token;
  std::optional<std::pair<std::size_t, std::size_t>> place;
};

/// The tokens of a token line with their positions in the raw line.  `separator` is the suffix of
/// tokens that do not end a word, `@@`, or empty; `continuation` is the prefix of those that do not
/// begin one, `##`, or empty.
///
/// Tokens are placed from both ends of the line, as long as each is next to the one before it;
/// where that ends, at words that are there once; and what is left by a short search.  Where that
/// does not place all tokens, the same with folded texts (FoldedText) can place more.
std::vector<PlacedToken> place_tokens(std::string_view tokens, std::string_view line,
                                      std::string_view separator,
                                      std::string_view continuation = "");

}  // namespace awend::text
