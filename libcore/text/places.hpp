// Where the tokens of a line stand in it, for people who want to see.
// Test: tests/unit/text/places_test.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace awend::text {

/// A token and the bytes [begin, end) of its line that it stands for; nothing where they are not
/// found there, because the text was normalised or the token is a control symbol.
struct PlacedToken {
  std::string_view token;
  std::optional<std::pair<std::size_t, std::size_t>> place;
};

/// The tokens of a token line with their places in the line that they come from.  `separator` is
/// what a token that goes on ends with, `@@`; or empty.
std::vector<PlacedToken> place_tokens(std::string_view tokens, std::string_view line,
                                      std::string_view separator);

}  // namespace awend::text
