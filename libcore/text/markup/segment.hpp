// A text to translate, and the tags and the like in it.
//
// Test: tests/unit/text/markup/parser_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/text_range.hpp"

namespace awend::text {

struct MarkupNode {
  enum class Kind {
    kElement,
    kPoint,   ///< Copied, such as a comment or <img>.
    kObject,  ///< Copied, a part of the sentence: a placeholder, or the content of <code>.
  };
  static constexpr std::uint32_t kNoParent = 0xFFFFFFFF;

  Kind kind = Kind::kElement;
  std::uint32_t parent = kNoParent;
  std::uint32_t depth = 0;
  TextRange range = {};  ///< In the text of the segment; of an object, that of its substitute.
  TextRange open = {};   ///< In the line: the start tag, or all of a point or object.
  TextRange close = {};  ///< In the line: the end tag.
  bool begins_before = false, ends_after = false;  ///< Than the segment.
  /// Objects and points: white space is next to it; of objects also nothing.
  bool has_space_before = false, has_space_after = false;
  bool is_raw = false;  ///< A CDATA section, whose text has no references.
};

/// A text to translate.
struct MarkupSegment {
  std::string text;               ///< Without tags and references, with substitutes.
  std::string before, after;      ///< White space around it, not translated.
  std::vector<MarkupNode> nodes;  ///< In the order of their beginnings: parents first.

  /// Whether the places of the nodes in the translation depend on its alignment.
  bool needs_alignment() const;
};

}  // namespace awend::text
