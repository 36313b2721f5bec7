// White space as Python knows it: the 29 code points at which str.split() cuts and which
// str.rstrip() takes away.  Unicode's own set of white space is another, and so is ICU's.
//
// Test: tests/unit/metrics/words_test.cpp, with $AWEND_CONFORMANCE/unicode/whitespace.json.
#pragma once

#include <string_view>

#include "base/utf8.hpp"

namespace awend::metrics {

constexpr bool is_python_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 ||
         c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
         c == 0x205F || c == 0x3000;
}

/// The text without white space at its end.
inline std::string_view python_rstrip(std::string_view text) {
  while (!text.empty()) {
    auto begin = text.size() - 1;
    while (begin > 0 && base::is_utf8_tail(text[begin])) --begin;
    if (!is_python_space(base::utf8_step(text, begin).code_point)) break;
    text = text.substr(0, begin);
  }
  return text;
}

/// The text without white space at its front.
inline std::string_view python_lstrip(std::string_view text) {
  while (!text.empty()) {
    const auto step = base::utf8_step(text, 0);
    if (!is_python_space(step.code_point)) break;
    text.remove_prefix(step.size_bytes);
  }
  return text;
}

}  // namespace awend::metrics
