#include "metrics/words.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/utf8.hpp"

namespace awend::metrics {
namespace {

constexpr Tokenizer kTokenizers[] = {Tokenizer::k13a, Tokenizer::kNone, Tokenizer::kChar};

// The 29 code points at which Python's str.split() splits; Unicode's own set of white space is
// another.
bool is_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 ||
         c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
         c == 0x205F || c == 0x3000;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_dot_or_comma(char c) {
  return c == '.' || c == ',';
}

// Printable ASCII but for letters, digits, and the four marks ' , - . that have rules of their own.
bool is_symbol(char c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
         (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  while (true) {
    const auto place = text.find(from);
    out += text.substr(0, place);
    if (place == std::string_view::npos) return out;
    out += to;
    text.remove_prefix(place + from.size());
  }
}

std::string with_spaces_around_symbols(std::string_view text) {
  std::string out;
  out.reserve(2 * text.size());
  for (char c : text) {
    if (is_symbol(c)) {
      out += ' ';
      out += c;
      out += ' ';
    } else {
      out += c;
    }
  }
  return out;
}

// Wherever a character of one kind is followed by one of another, a space goes between them, and
// one more before the first or behind the second.  A match uses up both characters, as in a regular
// expression: in "a,,1" the second comma is no longer free. Bytes will do for characters: the tests
// are about ASCII, and no character beyond it contains such a byte.
enum class Side { kBehindSecond, kBeforeFirst };

template <class First, class Second>
std::string with_space_in_pairs(std::string_view text, First first, Second second, Side side) {
  std::string out;
  out.reserve(2 * text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i + 1 == text.size() || !first(text[i]) || !second(text[i + 1])) {
      out += text[i];
      continue;
    }
    if (side == Side::kBeforeFirst) out += ' ';
    out += text[i];
    out += ' ';
    out += text[++i];
    if (side == Side::kBehindSecond) out += ' ';
  }
  return out;
}

std::string apply_13a(std::string_view line) {
  auto text = replaced(line, "<skipped>", "");
  if (text.find('&') != std::string::npos) {
    // The order matters: "&amp;lt;" ends as "<".
    text = replaced(text, "&quot;", "\"");
    text = replaced(text, "&amp;", "&");
    text = replaced(text, "&lt;", "<");
    text = replaced(text, "&gt;", ">");
  }
  const auto other = [](char c) { return !is_digit(c); };
  const auto hyphen = [](char c) { return c == '-'; };
  text = with_spaces_around_symbols(" " + text + " ");
  text = with_space_in_pairs(text, other, is_dot_or_comma, Side::kBehindSecond);
  text = with_space_in_pairs(text, is_dot_or_comma, other, Side::kBeforeFirst);
  return with_space_in_pairs(text, is_digit, hyphen, Side::kBehindSecond);
}

// Calls `take(character, is_space)` for each character of the text.
template <class Take>
void for_each_character(std::string_view text, Take take) {
  for (std::size_t i = 0; i < text.size();) {
    const auto step = base::utf8_step(text, i);
    take(text.substr(i, step.size_bytes), is_space(step.code_point));
    i += step.size_bytes;
  }
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  for_each_character(text, [&](std::string_view character, bool space) {
    if (!space && !inside) words.emplace_back();
    if (!space) words.back() += character;
    inside = !space;
  });
  return words;
}

std::vector<std::string> split_characters(std::string_view text) {
  std::vector<std::string> words;
  for_each_character(text, [&](std::string_view character, bool space) {
    if (!space) words.emplace_back(character);
  });
  return words;
}

}  // namespace

std::string_view name_of(Tokenizer tokenizer) {
  switch (tokenizer) {
    case Tokenizer::k13a:
      return "13a";
    case Tokenizer::kNone:
      return "none";
    case Tokenizer::kChar:
      return "char";
  }
  base::fail("unknown tokenizer");
}

std::optional<Tokenizer> tokenizer_named(std::string_view name) {
  const auto found = std::ranges::find(kTokenizers, name, name_of);
  if (found == std::end(kTokenizers)) return std::nullopt;
  return *found;
}

std::vector<std::string> words_of(std::string_view line, Tokenizer tokenizer) {
  switch (tokenizer) {
    case Tokenizer::k13a:
      return split(apply_13a(line));
    case Tokenizer::kNone:
      return split(line);
    case Tokenizer::kChar:
      return split_characters(line);
  }
  base::fail("unknown tokenizer");
}

}  // namespace awend::metrics
