#include "text/sentences/continuation.hpp"

#include <unicode/uchar.h>

#include <algorithm>
#include <string>

namespace awend::text::sentences {
namespace {

constexpr std::size_t kLongestReport = 40;  // characters

bool begins_with(const LineCharacters& line, std::size_t at, std::u32string_view text) {
  if (line.size() - at < text.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (line[at + i] != text[i]) return false;
  }
  return true;
}

bool begins_with_any(const LineCharacters& line, std::size_t at,
                     std::span<const std::u32string_view> texts) {
  return std::ranges::any_of(texts,
                             [&](std::u32string_view text) { return begins_with(line, at, text); });
}

bool is_terminator(char32_t code) {
  return u_hasBinaryProperty(static_cast<UChar32>(code), UCHAR_S_TERM);
}

// As in 」彼は語る。
bool is_report(const LineCharacters& line, std::size_t start, const LanguageRules& rules) {
  // A report with words of its own, as 彼は…と語った, is a sentence.
  static constexpr std::u32string_view kQuoting[] = {U"と", U"고 "};
  const std::size_t last = std::min(line.size(), start + kLongestReport);
  std::size_t end = start;
  while (end < last && !is_terminator(line[end])) ++end;
  if (end == last) return false;
  const auto ends_in = [&](std::u32string_view text) {
    return end - start >= text.size() && begins_with(line, end - text.size(), text);
  };
  if (std::ranges::any_of(rules.not_reporting, ends_in)) return false;
  return std::ranges::any_of(rules.reporting, [&](std::u32string_view verb) {
    return ends_in(verb) && std::ranges::none_of(kQuoting, [&](std::u32string_view word) {
             return ends_in(std::u32string(word) + std::u32string(verb));
           });
  });
}

}  // namespace

bool continues_quotation(const LineCharacters& line, std::size_t start,
                         const LanguageRules& rules) {
  if (begins_with_any(line, start, rules.continuations) &&
      !begins_with_any(line, start, rules.beginnings)) {
    return true;
  }
  return is_report(line, start, rules);
}

}  // namespace awend::text::sentences
