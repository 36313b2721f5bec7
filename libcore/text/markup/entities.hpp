// Character references of HTML and XML (`&amp;`, `&#228;`), read and written.
//
// Test: tests/unit/text/markup/entities_test.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "text/markup/language.hpp"

namespace awend::text {

struct Reference {
  std::size_t size_bytes;
  /// Nothing for an entity that is not known, and for what is not text: these must be kept.
  std::optional<char32_t> character;
};

/// The reference at the beginning of `text`, or nothing if its `&` is text.  XML has five names;
/// in HTML, those of HTML 4 are known.  Requires: text begins with `&`.
std::optional<Reference> read_reference(std::string_view text, MarkupLanguage language);

/// Appends text as HTML writes it: `&`, `<`, `>` and the no-break space as references; in XML,
/// without the space; with kNone, as it is.
void append_escaped(std::string_view text, MarkupLanguage language, std::string& out);

}  // namespace awend::text
