#include "text/protected_spans.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "text/characters.hpp"

namespace awend::text {
namespace {

/// A placeholder, and a character without which a text has none.
struct Placeholder {
  char mark;
  std::string_view pattern;
};

// Repetitions are bounded or atomic where one could follow another, so that a line takes linear
// time.
constexpr Placeholder kPlaceholders[] = {
    {'{', R"([$%#]?\{\{? ?[A-Za-z0-9_.:$@\[\]-]{0,64} ?\}\}?)"},
    // A percent sign after a digit is one, "50%discount", unless a name, a number or %% follows.
    {'%', R"((?:(?<![0-9])%|%\([A-Za-z0-9_.]{1,64}\)|%[0-9]{1,3}\$)[-+0#]{0,4}[0-9*]{0,4})"
          R"((?:\.[0-9*]{0,4})?(?:hh|h|ll|l|j|z|t|L)?[@diouxXeEfFgGaAcsp]|%%)"},
    // Brackets belong to an address in pairs, punctuation if more of the address follows, and
    // letters unless text in their script may follow without a space.  The number of parts limits
    // the memory.
    {':', R"((?i:https?|ftp)://(?>\([^\s"<>(){}]{0,256}\)|\{[^\s"<>(){}]{0,256}\}|)"
          R"([!'(),.:;?\[\]{}]{0,8}?(?:\([^\s"<>(){}]{0,256}\)|\{[^\s"<>(){}]{0,256}\}|)"
          R"([A-Za-z0-9#$%&*+/=@\\^_`|~-]+|(?![\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai})"
          R"(\p{Lao}\p{Khmer}\p{Myanmar}])[\p{L}\p{M}\p{N}])){1,2000}+)"},
    {'@', R"([A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,255}\.[A-Za-z]{2,24})"}};

/// The byte before `position` that begins a character, and the character.
std::size_t before(std::string_view text, std::size_t position) {
  --position;
  while (position > 0 && base::is_utf8_tail(text[position])) --position;
  return position;
}

}  // namespace

bool is_latin_word(std::string_view text, std::size_t position) {
  // Longer sequences of marks are no letter.
  constexpr int kMaxMarks = 8;
  for (int marks = 0;; ++marks) {
    while (position > 0 && base::is_utf8_tail(text[position])) --position;
    const auto character = base::utf8_step(text, position).code_point;
    if (!is_mark(character) || position == 0 || marks == kMaxMarks)
      return (character >= '0' && character <= '9') || is_latin_letter(character);
    --position;
  }
}

ProtectedSpans::ProtectedSpans(const ProtectionSettings& settings) {
  for (const auto& pattern : settings.patterns)
    patterns_.emplace_back(base::Message(kProtectedPattern), pattern);
  if (settings.placeholders == ProtectionSettings::Placeholders::kTranslate) return;
  for (const auto& placeholder : kPlaceholders)
    placeholders_.emplace_back(base::Message("placeholder"), std::string(placeholder.pattern));
}

std::vector<TextRange> ProtectedSpans::find(std::string_view text) {
  std::vector<TextRange> found;
  const auto add = [&](Pattern& pattern) {
    for (const TextRange& range : pattern.find_all(text)) {
      if (!range.empty()) found.push_back(range);
    }
  };
  for (auto& pattern : patterns_) add(pattern);
  for (std::size_t i = 0; i < placeholders_.size(); ++i) {
    if (text.find(kPlaceholders[i].mark) != std::string_view::npos) add(placeholders_[i]);
  }
  std::ranges::sort(found, {}, &TextRange::begin);
  std::vector<TextRange> spans;
  for (auto [begin, end] : found) {
    const std::size_t last = spans.empty() ? 0 : spans.back().end;
    while (begin > last && is_latin_word(text, begin - 1)) begin = before(text, begin);
    while (end < text.size() && is_latin_word(text, end))
      end += base::utf8_step(text, end).size_bytes;
    if (!spans.empty() && begin <= last) {
      spans.back().end = std::max(last, end);
    } else {
      spans.push_back({begin, end});
    }
  }
  return spans;
}

}  // namespace awend::text
