#include "text/sentences/abbreviations.hpp"

#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/ures.h>

#include <algorithm>
#include <memory>

#include "base/utf8.hpp"
#include "text/characters.hpp"
#include "text/sentences/characters.hpp"

namespace awend::text::sentences {
namespace {

UChar32 first_character(std::string_view text) {
  return static_cast<UChar32>(base::utf8_step(text, 0).code_point);
}

bool is_white_at(std::string_view text, std::size_t at) {
  return is_white(base::utf8_step(text, at).code_point);
}

std::size_t before(std::string_view text, std::size_t at) {
  do {
    --at;
  } while (at > 0 && base::is_utf8_tail(text[at]));
  return at;
}

// The last word of a sentence that ends in a period, without it; empty if there is no such word.
std::string_view last_word(std::string_view sentence) {
  if (!sentence.ends_with('.')) return {};
  sentence.remove_suffix(1);
  std::size_t begin = sentence.size();
  while (begin > 0 && !is_white_at(sentence, before(sentence, begin)))
    begin = before(sentence, begin);
  std::string_view word = sentence.substr(begin);
  // Without an opening parenthesis or quotation mark.
  while (!word.empty() && u_ispunct(first_character(word)))
    word.remove_prefix(base::utf8_step(word, 0).size_bytes);
  return word;
}

// The word without an article before an apostrophe, as in "l'Avv."; the same word if there is none.
std::string_view after_apostrophe(std::string_view word) {
  for (const std::string_view apostrophe : {"'", "\u2019"}) {
    const std::size_t at = word.rfind(apostrophe);
    if (at != word.npos) word.remove_prefix(at + apostrophe.size());
  }
  return word;
}

struct CloseResource {
  void operator()(UResourceBundle* bundle) const { ures_close(bundle); }
};
using Resource = std::unique_ptr<UResourceBundle, CloseResource>;

// The abbreviations of a language, each with its last period; none if ICU has no list.  ICU's own
// filter is not used: it also finds them as the ends of longer words.
std::vector<std::string> abbreviations_of(const std::string& language) {
  UErrorCode status = U_ZERO_ERROR;
  const Resource rules(ures_open(U_ICUDATA_NAME "-brkitr", language.c_str(), &status));
  const Resource exceptions(ures_getByKey(rules.get(), "exceptions", nullptr, &status));
  const Resource list(ures_getByKey(exceptions.get(), "SentenceBreak", nullptr, &status));
  std::vector<std::string> found;
  for (std::int32_t i = 0; U_SUCCESS(status) && i < ures_getSize(list.get()); ++i) {
    std::int32_t size = 0;
    const UChar* text = ures_getStringByIndex(list.get(), i, &size, &status);
    if (U_SUCCESS(status)) icu::UnicodeString(text, size).toUTF8String(found.emplace_back());
  }
  return found;
}

// With its combining marks.
bool is_capital(std::string_view word) {
  if (word.empty() || !u_isUUppercase(first_character(word))) return false;
  while (!(word = word.substr(base::utf8_step(word, 0).size_bytes)).empty()) {
    if (!is_mark(static_cast<char32_t>(first_character(word)))) return false;
  }
  return true;
}

bool contains(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

Abbreviations::Abbreviations(const std::string& language, const std::string& prefixes)
    : rules_(rules_of(language)), listed_(abbreviations_of(language)) {
  if (!prefixes.empty()) prefixes_ = moses::Prefixes(prefixes, primary_language(language));
}

bool Abbreviations::is_listed(std::string_view sentence) const {
  return std::ranges::any_of(listed_, [&](const std::string& end) {
    if (!sentence.ends_with(end)) return false;
    const std::string_view front = sentence.substr(0, sentence.size() - end.size());
    return front.empty() || !u_isalnum(first_character(front.substr(before(front, front.size()))));
  });
}

bool Abbreviations::join(std::string_view sentence, std::string_view rest) const {
  const std::string_view word = after_apostrophe(last_word(sentence));
  if (word.empty()) return false;
  if (is_capital(word) || is_listed(sentence)) return true;
  const bool before_digit = !rest.empty() && u_isdigit(first_character(rest));
  if (contains(rules_.abbreviations, word) ||
      (before_digit &&
       (contains(rules_.before_digits, word) || contains(common_before_digits(), word)))) {
    return true;
  }
  switch (prefixes_.find(word)) {
    case moses::Prefixes::Kind::kNone:
      return false;
    case moses::Prefixes::Kind::kAlways:
      return true;
    case moses::Prefixes::Kind::kBeforeDigit:
      return before_digit;
  }
  return false;
}

}  // namespace awend::text::sentences
