// What the elements of HTML mean for a translation.
//
// Test: tests/unit/text/markup/parser_test.cpp.
#pragma once

#include <string_view>

namespace awend::text {

struct ElementFacts {
  bool is_void = false;        ///< Without content and end tag.
  bool ends_sentence = false;  ///< The text before, in and after it are apart.
  bool is_kept = false;        ///< Its content is not translated, but a part of the sentence.
  bool is_raw = false;         ///< Its content is neither text nor markup, or never displayed.
  bool may_be_open = false;    ///< Its end tag is optional.
  bool is_in_words = false;    ///< It may be in a word, although it is void.
};

/// Facts of an element of HTML, by its name in lower case.  An unknown one is part of a sentence,
/// as browsers show it.
ElementFacts html_element(std::string_view name);

/// Whether the start tag of `next` implies the end tag of an open element, such as <li>.
bool ends_open_element(std::string_view open, std::string_view next);

}  // namespace awend::text
