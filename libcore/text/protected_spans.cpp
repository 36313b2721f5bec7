#include "text/protected_spans.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace awend::text {
namespace {

/// A placeholder, and a character without which a text has none.
struct Placeholder {
  char mark;
  std::string_view pattern;
};

// Repetitions are bounded where one could follow another, so that a line takes linear time.  A
// percent sign after a digit is one: "50%discount".
constexpr Placeholder kPlaceholders[] = {
    {'{', R"([$%#]?\{\{? ?[A-Za-z0-9_.:$@\[\]-]{0,64} ?\}\}?)"},
    {'%', R"((?<![0-9])%(?:\([A-Za-z0-9_.]{1,64}\)|[0-9]{1,3}\$)?[-+0#]{0,4}[0-9*]{0,4})"
          R"((?:\.[0-9*]{0,4})?(?:hh|h|ll|l|j|z|t|L)?[@diouxXeEfFgGaAcsp])"},
    {':', R"((?:https?|ftp)://[!#-;=?-~]*[A-Za-z0-9#$%&*+/=@\\^_`|~-])"},
    {'@', R"([A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,255}\.[A-Za-z]{2,24})"}};

/// The byte before `position` that begins a character, and the character.
std::size_t before(std::string_view text, std::size_t position) {
  --position;
  while (position > 0 && base::is_utf8_tail(text[position])) --position;
  return position;
}

}  // namespace

bool is_latin_word(std::string_view text, std::size_t position) {
  while (position > 0 && base::is_utf8_tail(text[position])) --position;
  const auto character = base::utf8_step(text, position).code_point;
  return (character >= '0' && character <= '9') || (character >= 'A' && character <= 'Z') ||
         (character >= 'a' && character <= 'z') ||
         (character >= 0xC0 && character < 0x250 && character != 0xD7 && character != 0xF7);
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
  std::ranges::sort(found, [](const TextRange& a, const TextRange& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::vector<TextRange> spans;
  for (auto [begin, end] : found) {
    const std::size_t last = spans.empty() ? 0 : spans.back().end;
    if (!spans.empty() && begin < last) continue;
    while (begin > last && is_latin_word(text, begin - 1)) begin = before(text, begin);
    while (end < text.size() && is_latin_word(text, end))
      end += base::utf8_step(text, end).size_bytes;
    if (!spans.empty() && begin == last) {
      spans.back().end = end;
    } else {
      spans.push_back({begin, end});
    }
  }
  return spans;
}

}  // namespace awend::text
