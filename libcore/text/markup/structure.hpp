// The elements of a line of markup: which tags are partners, and which elements end sentences.
//
// Test: tests/unit/text/markup/parser_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/markup/language.hpp"
#include "text/text_range.hpp"

namespace awend::text {

/// Elements in a sentence that are nested deeper than this are copied.
inline constexpr std::size_t kMaxMarkupDepth = 64;

struct MarkupItem {
  enum class Kind {
    kText,
    kBegin,   ///< A start tag; without a partner, the element extends to the end of the line.
    kEnd,     ///< An end tag; without a partner, the element began on an earlier line.
    kPoint,   ///< Copied.
    kObject,  ///< An element that is not translated: all of it.
  };
  static constexpr std::uint32_t kNoPartner = 0xFFFFFFFF;

  Kind kind = Kind::kText;
  TextRange range = {};
  std::uint32_t partner = kNoPartner;
  bool is_raw = false;   ///< A CDATA section, or text in one.
  bool is_open = false;  ///< An object without an end tag, after the white space before it.
  bool ends_sentence = false;
  bool separates = false;  ///< A point that is displayed, and so divides words.
};

struct MarkupStructure {
  std::vector<MarkupItem> items;  ///< Their ranges are adjacent and cover the line.
  std::string problem;            ///< The first one; empty: none.
};

MarkupStructure read_markup_structure(std::string_view line, MarkupLanguage language);

}  // namespace awend::text
