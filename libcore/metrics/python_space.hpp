// White space as defined by Python's str.split(): 29 code points, different from Unicode's
// White_Space.  sacreBLEU splits words and strips lines there in all metrics.  Test:
// tests/unit/metrics/chrf/chrf_test.cpp, tests/unit/metrics/bleu/words_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/utf8.hpp"

namespace awend::metrics {

constexpr bool is_python_space(char32_t c) {
  if (c < 0x80) return c == 0x20 || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
         c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

/// Calls visit(code_point, size_bytes) for each character, with a fast path for ASCII.
template <class Visit>
void for_each_code_point(std::string_view text, const Visit& visit) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) {
      visit(char32_t{byte}, std::size_t{1});
      ++i;
    } else {
      const auto step = base::utf8_step(text, i);
      visit(step.code_point, step.size_bytes);
      i += step.size_bytes;
    }
  }
}

/// Calls visit(word) for each word of the text, a view into it.
template <class Visit>
void for_each_python_word(std::string_view text, const Visit& visit) {
  std::size_t begin = 0, end = 0;
  for_each_code_point(text, [&](char32_t c, std::size_t size_bytes) {
    if (is_python_space(c)) {
      if (end > begin) visit(text.substr(begin, end - begin));
      begin = end + size_bytes;
    }
    end += size_bytes;
  });
  if (end > begin) visit(text.substr(begin));
}

/// The number of words.
inline std::int64_t count_words(std::string_view text) {
  std::int64_t words = 0;
  for_each_python_word(text, [&](std::string_view) { ++words; });
  return words;
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
