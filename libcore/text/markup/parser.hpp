// A line of markup as texts to translate, and what is around and in them.
//
// The tags of elements that end sentences, and all that is next to them, are copied: they divide
// the line into segments.  In HTML, these elements are known by name.  In XML, an element ends
// sentences if its parent has no text of its own.  All that remains, elements in a sentence,
// comments and empty elements, are nodes of a segment, which text/markup/placer.hpp puts into the
// translation.  Text that must not be translated is a node, too; a substitute, a short text that
// models copy, represents it in the segment.
//
// The state is that of one line.  A tag without its partner is kept: an element that begins on the
// line, and does not end on it, extends to its end.  One that is not translated ends before, at the
// end of the element around it, or in HTML at a tag that implies its end tag.  Tags that overlap,
// such as <b><i></b></i>, are text in XML, and copied in HTML.  Time and memory are linear in the
// line.
//
// Test: tests/unit/text/markup/parser_test.cpp, tests/fuzz/targets/markup.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/markup/language.hpp"
#include "text/markup/segment.hpp"
#include "text/markup/structure.hpp"
#include "text/protected_spans.hpp"
#include "text/text_range.hpp"

namespace awend::text {

/// A part of a line: text, or bytes to copy.
struct MarkupPart {
  TextRange copied = {};                      ///< In the line.
  std::optional<MarkupSegment> segment = {};  ///< Nothing if bytes are copied.
};

struct MarkupLine {
  std::vector<MarkupPart> parts;
  std::string problem;  ///< What is wrong with the markup, the first of it; empty: nothing.
};

/// A line is not changed by parsing it and writing its parts with the texts of their segments, but
/// for the spelling of references.  Throws Error as ProtectedSpans::find().  Requires: valid UTF-8.
MarkupLine parse_markup(std::string_view line, MarkupLanguage language, ProtectedSpans& spans);

}  // namespace awend::text
