// A line of markup as text, tags and comments.
//
// Test: tests/unit/text/markup/parser_test.cpp, tests/fuzz/targets/markup.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/markup/language.hpp"
#include "text/text_range.hpp"

namespace awend::text {

struct MarkupToken {
  enum class Kind {
    kText,
    kBegin,  ///< A start tag, or the beginning of a CDATA section.
    kEnd,    ///< An end tag, or the end of a CDATA section.
    kPoint,  ///< All else that is copied: comments, empty elements, scripts.
  };
  Kind kind = Kind::kText;
  TextRange range = {};   ///< In the line; ranges are adjacent and cover it.
  std::string name = {};  ///< Of an element, in lower case in HTML; empty for others.
  bool is_kept = false;   ///< The start tag of an element that it excludes from translation.
  bool is_raw = false;    ///< A CDATA section or text in one: without references.
};

struct MarkupTokens {
  std::vector<MarkupToken> tokens;
  std::string problem;  ///< What is wrong in the line, the first of it; empty: nothing.
};

/// `<` that begins nothing is text.  Takes time in proportion to the line.
MarkupTokens read_markup_tokens(std::string_view line, MarkupLanguage language);

}  // namespace awend::text
