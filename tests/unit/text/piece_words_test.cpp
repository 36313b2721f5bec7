// Pieces are gathered into words as their vocabulary marks them.
#include "text/piece_words.hpp"

#include "tests/catch.hpp"
#include "text/import.hpp"

namespace awend::text {
namespace {

using Words = std::vector<std::uint32_t>;

TEST_CASE("a sign of space begins a word") {
  const Vocabulary vocabulary(VocabularyContent{.pieces = special_pieces(), .merges = {}});
  const std::string_view tokens[] = {"Th", "e", "\u2581ca", "t", "\u2581", "\u2581sat"};
  CHECK(words_of_pieces(vocabulary, tokens) == Words{0, 0, 1, 1, 2, 2});
  CHECK(words_of_pieces(vocabulary, {}).empty());
  CHECK(words_of_pieces(vocabulary, std::span(tokens).subspan(2)) == Words{0, 0, 1, 1});
  // Spaces at the beginning, between words and at the end.
  const std::string_view spaces[] = {"\u2581", "\u2581a", "\u2581", "\u2581",
                                     "b",      "\u2581",  "\u2581"};
  CHECK(words_of_pieces(vocabulary, spaces) == Words{0, 0, 1, 1, 1, 1, 1});
  CHECK(words_of_pieces(vocabulary, std::span(spaces).first(1)) == Words{0});
}

TEST_CASE("a piece without the separator ends a word") {
  const auto vocabulary = import_codes({.codes = "#version: 0.2\n", .pieces = {{"a", 1}}});
  const std::string_view tokens[] = {"Th@@", "e", "c@@", "a@@", "t", "x"};
  CHECK(words_of_pieces(vocabulary, tokens) == Words{0, 0, 1, 1, 1, 2});
}

}  // namespace
}  // namespace awend::text
