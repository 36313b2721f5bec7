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
/// tokens that do not end a word, `@@`, or empty.
std::vector<PlacedToken> place_tokens(std::string_view tokens, std::string_view line,
                                      std::string_view separator);

}  // namespace awend::text
