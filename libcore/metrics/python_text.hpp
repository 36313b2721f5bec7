// The ends of lines as Python's str.rstrip() and str.lstrip() leave them.
//
// Test: tests/unit/metrics/words_test.cpp.
#pragma once

#include <string_view>

#include "base/utf8.hpp"
#include "metrics/python_space.hpp"

namespace awend::metrics {

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
