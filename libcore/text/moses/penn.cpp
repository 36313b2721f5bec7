#include "text/moses/penn.hpp"

#include "base/concat.hpp"
#include "text/moses/characters.hpp"
#include "text/moses/word_rules.hpp"

namespace awend::text::moses {
namespace {

bool opens(char32_t c) {
  return c == ' ' || c == '(' || c == '[' || c == '{' || c == '<';
}
bool is_no_backtick(char32_t c) {
  return c != '`';
}
bool is_no_apostrophe(char32_t c) {
  return c != '\'';
}
bool is_alphanumeric(char32_t c) {
  return is(c, kAlphanumeric);
}

// Quotes that open, and an ellipsis.
constexpr MarkRule kOpening[] = {{opens, "\"", nullptr, " `` "},
                                 {opens, "``", nullptr, " `` "},
                                 {opens, "`", is_no_backtick, " ` "},
                                 {opens, "'", nullptr, " ` "},
                                 {nullptr, "...", nullptr, " \x01\x01\x01 "},
                                 {is_not_number, ",", is_not_number, " , "},
                                 {is_number, ",", is_not_number, " , "},
                                 {is_not_number, ",", is_number, " , "}};
constexpr MarkRule kSlash[] = {{is_alphanumeric, "/", is_alphanumeric, " @/@ "}};
constexpr MarkRule kClosing[] = {{nullptr, "--", nullptr, " -- "}};
// The two remaining quotes close, as does an apostrophe at the end of a word.
constexpr MarkRule kQuotes[] = {{nullptr, "\"", nullptr, " '' "},
                                {is_no_apostrophe, "' ", nullptr, " ' "}};

constexpr WordRule kShortForms[] = {
    {"'", "sSmMdD", " ", " '", " "},     {"'", "l", "l ", " '", "l "},
    {"'", "r", "e ", " '", "e "},        {"'", "v", "e ", " '", "e "},
    {"", "n", "'t ", " ", "'t "},        {"'", "L", "L ", " '", "L "},
    {"'", "R", "E ", " '", "E "},        {"'", "V", "E ", " '", "E "},
    {"", "N", "'T ", " ", "'T "},        {" ", "Cc", "annot ", " ", "an not "},
    {" ", "Dd", "'ye ", " ", "' ye "},   {" ", "Gg", "imme ", " ", "im me "},
    {" ", "Gg", "onna ", " ", "on na "}, {" ", "Gg", "otta ", " ", "ot ta "},
    {" ", "Ll", "emme ", " ", "em me "}, {" ", "Mm", "ore'n ", " ", "ore 'n "},
    {" '", "Tt", "is ", " '", " is "},   {" '", "Tt", "was ", " '", " was "},
    {" ", "Ww", "anna ", " ", "an na "}};

// A quote at the very front opens.
void open_first_quote(Work& work) {
  std::string& text = work.text;
  if (text.starts_with("``"))
    text.insert(2, " ");
  else if (text.starts_with('"'))
    text.replace(0, 1, "`` ");
  else if (text.starts_with('`') && text.size() > 1)
    text.insert(1, " ");
  else if (text.starts_with('\''))
    text.replace(0, 1, "`  ");
}

// Spaces around each character for which apart(c) is not null, replaced by apart(c).
template <class Apart>
void isolate(Work& work, const Apart& apart) {
  const std::string_view text = work.text;
  for (std::size_t at = 0; at < text.size();) {
    const base::Utf8Step step = step_at(text, at);
    const std::string_view character = text.substr(at, step.size_bytes);
    const std::string_view name = apart(step.code_point, character);
    if (name.empty())
      work.next += character;
    else
      base::append(work.next, ' '), work.next += name, work.next += ' ';
    at += step.size_bytes;
  }
  work.take();
}

std::string_view symbol(char32_t c, std::string_view character) {
  constexpr std::string_view kSymbols = ";:@#$%&";
  const bool apart = c < 128 ? kSymbols.find(static_cast<char>(c)) != kSymbols.npos
                             : is(c, kCurrency | kOtherSymbol);
  return apart ? character : std::string_view();
}

std::string_view bracket(char32_t c, std::string_view character) {
  switch (c) {
    case '(':
      return "-LRB-";
    case ')':
      return "-RRB-";
    case '[':
      return "-LSB-";
    case ']':
      return "-RSB-";
    case '{':
      return "-LCB-";
    case '}':
      return "-RCB-";
    case '<':
    case '>':
    case '?':
    case '!':
      return character;
    default:
      return {};
  }
}

// Only the dot that ends the line, before closing brackets and quotes, is separated from its word.
void split_last_dot(Work& work) {
  std::string& text = work.text;
  std::size_t end = text.size();
  if (end > 0 && text[end - 1] == ' ') --end;
  const std::size_t closers = text.find_last_not_of("])}>\"'", end == 0 ? 0 : end - 1);
  if (end == 0 || closers == text.npos || closers == 0 || text[closers] != '.' ||
      text[closers - 1] == '.')
    return;
  text.resize(end);
  text.insert(closers, 1, ' ');
  text += ' ';
}

}  // namespace

void split_penn(const Prefixes& prefixes, Work& work) {
  open_first_quote(work);
  apply(kOpening, work);
  isolate(work, symbol);
  apply(kSlash, work);
  split_last_dot(work);
  isolate(work, bracket);
  apply(kClosing, work);
  work.text = base::concat(" ", work.text, " ");
  apply(kQuotes, work);
  apply(kShortForms, work);
  split_final_dots(prefixes, LastWord::kLikeOthers, work);
}

}  // namespace awend::text::moses
