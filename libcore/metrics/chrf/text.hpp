// The units that chrF counts in a line: its characters, and its words with one mark
// separated.  Test: tests/unit/metrics/chrf/chrf_test.cpp.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "metrics/python_space.hpp"

namespace awend::metrics {

/// Sets `symbols` to the code points of the line.
template <class Keep>
void chrf_characters(std::string_view line, std::vector<std::uint32_t>& symbols, const Keep& keep) {
  symbols.resize(line.size());
  auto* end = symbols.data();
  for_each_code_point(line, [&](char32_t c, std::size_t) {
    *end = static_cast<std::uint32_t>(c);
    end += keep(c) ? 1 : 0;
  });
  symbols.resize(static_cast<std::size_t>(end - symbols.data()));
}

/// Python's string.punctuation.
constexpr bool is_ascii_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

/// Calls visit(word).  A mark at the end of a word is a separate word; otherwise one at its
/// beginning; never both, so that "(hi)" gives "(hi" and ")".
template <class Visit>
void for_each_chrf_word(std::string_view line, const Visit& visit) {
  for_each_python_word(line, [&](std::string_view word) {
    if (word.size() > 1 && is_ascii_punctuation(word.back())) {
      visit(word.substr(0, word.size() - 1));
      visit(word.substr(word.size() - 1));
    } else if (word.size() > 1 && is_ascii_punctuation(word.front())) {
      visit(word.substr(0, 1));
      visit(word.substr(1));
    } else {
      visit(word);
    }
  });
}

}  // namespace awend::metrics
