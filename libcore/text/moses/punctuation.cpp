#include "text/moses/punctuation.hpp"

#include <algorithm>

namespace awend::text {
namespace {

using moses::MarkRule;
using moses::Work;

bool is_digit(char32_t c) {
  return c >= '0' && c <= '9';
}
bool is_latin(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool ends_clause(char32_t c) {
  return c == '.' || c == '!' || c == ':' || c == '?' || c == ';' || c == ',';
}

constexpr MarkRule literal(std::string_view text, std::string_view replacement) {
  return {nullptr, text, nullptr, replacement};
}

constexpr MarkRule kBrackets[] = {literal("\r", ""), literal("(", " ("), literal(")", ") ")};
constexpr MarkRule kSpaces[] = {{nullptr, ") ", ends_clause, ")"},
                                literal("( ", "("),
                                literal(" )", ")"),
                                {is_digit, " %", nullptr, "%"},
                                literal(" :", ":"),
                                literal(" ;", ";"),
                                literal("`", "'"),
                                literal("''", " \" "),
                                literal("„", "\""),
                                literal("“", "\""),
                                literal("”", "\""),
                                literal("–", "-"),
                                literal("—", " - ")};
constexpr MarkRule kQuotes[] = {literal("´", "'"),
                                {is_latin, "‘", is_latin, "'"},
                                {is_latin, "’", is_latin, "'"},
                                literal("‘", "'"),
                                literal("‚", "'"),
                                literal("’", "\""),
                                literal("''", "\""),
                                literal("…", "..."),
                                literal("\u00A0«\u00A0", " \""),
                                literal("«\u00A0", "\""),
                                literal("«", "\""),
                                literal("\u00A0»\u00A0", "\" "),
                                literal("\u00A0»", "\""),
                                literal("»", "\""),
                                literal("\u00A0%", "%"),
                                literal("nº\u00A0", "nº "),
                                literal("\u00A0:", ":"),
                                literal("\u00A0ºC", " ºC"),
                                literal("\u00A0cm", " cm"),
                                literal("\u00A0?", "?"),
                                literal("\u00A0!", "!"),
                                literal("\u00A0;", ";"),
                                literal(",\u00A0", ", ")};
constexpr MarkRule kCommaOutside[] = {literal(",\"", "\",")};
constexpr MarkRule kDecimalComma[] = {{is_digit, "\u00A0", is_digit, ","}};
constexpr MarkRule kDecimalPoint[] = {{is_digit, "\u00A0", is_digit, "."}};

// Runs of spaces become one, at the ends too.
void collapse(Work& work) {
  std::string& text = work.text;
  const auto both_spaces = [](char a, char b) { return a == ' ' && b == ' '; };
  text.erase(std::unique(text.begin(), text.end(), both_spaces), text.end());
}

// The commas and dots after a quote are moved before it.
void move_quotes_back(Work& work) {
  const std::string_view text = work.text;
  std::size_t begin = 0;
  for (std::size_t at = text.find('"'); at != text.npos; at = text.find('"', at + 1)) {
    const std::size_t end = std::min(text.find_first_not_of(",.", at + 1), text.size());
    work.next.append(text, begin, at - begin);
    work.next.append(text, at + 1, end - at - 1);
    work.next += '"';
    begin = end;
    at = end - 1;
  }
  work.next.append(text, begin);
  work.take();
}

// The dots before a quote are moved after it, unless a tag follows.  White space and one character
// after the quote belong to the match, as does the end of the line.
void move_dots_back(Work& work) {
  constexpr std::string_view kSpace = " \t\n\v\f";
  work.text += '\n';
  const std::string_view text = work.text;
  std::size_t begin = 0;
  for (std::size_t quote = text.find(".\""); quote != text.npos;
       quote = text.find(".\"", std::max(begin, quote + 1))) {
    const std::size_t dots = std::max(begin, text.find_last_not_of('.', quote) + 1);
    const std::size_t behind = quote + 2;
    std::size_t end = std::min(text.find_first_not_of(kSpace, behind), text.size());
    if (end < text.size() && text[end] != '<') ++end;
    if (end == behind) continue;
    work.next.append(text, begin, dots - begin);
    work.next += '"';
    work.next.append(text, dots, quote + 1 - dots);
    work.next.append(text, behind, end - behind);
    begin = end;
  }
  work.next.append(text, begin);
  work.take();
  work.text.pop_back();
}

}  // namespace

MosesPunctuation::MosesPunctuation(std::string_view language)
    : style_(QuoteStyle::kOutside), decimal_comma_(false) {
  if (language == "en") style_ = QuoteStyle::kEnglish;
  if (language == "cs" || language == "cz") style_ = QuoteStyle::kKept;
  constexpr std::string_view kWithComma[] = {"de", "es", "cz", "cs", "fr"};
  decimal_comma_ = std::ranges::find(kWithComma, language) != std::end(kWithComma);
}

void MosesPunctuation::normalize(std::string_view line, std::string& out) {
  work_.text = line;
  apply(kBrackets, work_);
  collapse(work_);
  apply(kSpaces, work_);
  collapse(work_);
  apply(kQuotes, work_);
  collapse(work_);
  if (style_ == QuoteStyle::kEnglish) move_quotes_back(work_);
  if (style_ == QuoteStyle::kOutside) {
    apply(kCommaOutside, work_);
    move_dots_back(work_);
  }
  apply(decimal_comma_ ? kDecimalComma : kDecimalPoint, work_);
  out += work_.text;
}

}  // namespace awend::text
