#include "metrics/ter/words.hpp"

#include <algorithm>

#include "base/format.hpp"
#include "metrics/python_space.hpp"
#include "text/case.hpp"

namespace awend::metrics {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_other(char c) {
  return !is_digit(c);
}

bool is_dot_or_comma(char c) {
  return c == '.' || c == ',';
}

bool is_hyphen(char c) {
  return c == '-';
}

// Printable ASCII except for letters, digits, and the four marks ' , - . that have special rules.
bool is_mark(char32_t c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
         (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}

bool is_deleted_mark(char32_t c) {
  return c < 0x80 && std::string_view(".,?:;!\"()").find(static_cast<char>(c)) != std::string::npos;
}

bool is_cjk_mark(char32_t c) {
  return c == 0x3001 || c == 0x3002 || (c >= 0x3008 && c <= 0x3011) ||
         (c >= 0x3014 && c <= 0x301F) || (c >= 0xFF61 && c <= 0xFF65) || c == 0x30FB ||
         c == 0xFF0E || c == 0xFF0C || c == 0xFF1F || c == 0xFF1A || c == 0xFF1B || c == 0xFF01 ||
         c == 0xFF02 || c == 0xFF08 || c == 0xFF09;
}

bool is_cjk(char32_t c) {
  // 3200 to 3F22 is probably an error of sacreBLEU, but its scores depend on it.
  return (c >= 0x2E80 && c <= 0x2EFF) || (c >= 0x31C0 && c <= 0x31EF) ||
         (c >= 0x3200 && c <= 0x3F22) || (c >= 0x3400 && c <= 0x4DBF) ||
         (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0xFE30 && c <= 0xFE4F) || is_cjk_mark(c);
}

template <class Is>
std::string isolate(std::string_view text, const Is& is) {
  std::string out;
  out.reserve(2 * text.size());
  std::size_t at = 0;
  for_each_code_point(text, [&](char32_t c, std::size_t size_bytes) {
    const bool apart = is(c);
    if (apart) out += ' ';
    out += text.substr(at, size_bytes);
    if (apart) out += ' ';
    at += size_bytes;
  });
  return out;
}

template <class Is>
std::string without(std::string_view text, const Is& is) {
  std::string out;
  std::size_t at = 0;
  for_each_code_point(text, [&](char32_t c, std::size_t size_bytes) {
    if (!is(c)) out += text.substr(at, size_bytes);
    at += size_bytes;
  });
  return out;
}

// Separates the mark of a pair: the second character, or the first.  A match consumes both, as in
// a regular expression, so that in ",,1" the second comma cannot match again.  Comparing bytes is
// sufficient: no character beyond ASCII contains such a byte.
enum class Apart { kSecond, kFirst };

template <class First, class Second>
std::string isolate_in_pairs(std::string_view text, First first, Second second, Apart apart) {
  std::string out;
  out.reserve(2 * text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool pair = i + 1 < text.size() && first(text[i]) && second(text[i + 1]);
    if (pair && apart == Apart::kFirst) out += ' ';
    out += text[i];
    if (!pair) continue;
    out += ' ';
    out += text[++i];
    if (apart == Apart::kSecond) out += ' ';
  }
  return out;
}

std::string normalized(std::string_view line) {
  constexpr std::pair<std::string_view, std::string_view> kEntities[] = {
      {"&quot;", "\""}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}};
  std::string text(line);
  // The order matters: "&amp;lt;" becomes "<".
  for (const auto& [entity, character] : kEntities) text = base::replaced(text, entity, character);
  text = isolate(" " + text + " ", is_mark);
  text = base::replaced(text, "'s ", " 's ");
  text = isolate_in_pairs(text, is_other, is_dot_or_comma, Apart::kSecond);
  text = isolate_in_pairs(text, is_dot_or_comma, is_other, Apart::kFirst);
  return isolate_in_pairs(text, is_digit, is_hyphen, Apart::kSecond);
}

}  // namespace

std::string_view ter_text(std::string_view line, const TerSettings& settings, std::string& buffer) {
  if (!settings.case_sensitive) line = buffer = text::lower_case(line);
  if (settings.normalized) {
    buffer = normalized(line);
    if (settings.asian_support) buffer = isolate(buffer, is_cjk);
    line = buffer;
  }
  if (settings.no_punct) {
    buffer = without(line, is_deleted_mark);
    if (settings.asian_support) buffer = without(buffer, is_cjk_mark);
    line = buffer;
  }
  return line;
}

}  // namespace awend::metrics
