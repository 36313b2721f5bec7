#include "text/moses/detokenize.hpp"

#include <algorithm>

#include "base/concat.hpp"
#include "base/format.hpp"
#include "text/moses/characters.hpp"
#include "text/moses/passes.hpp"
#include "text/moses/penn.hpp"

namespace awend::text::moses {
namespace {

using base::Utf8Step;

// True if the word is not empty and `holds` is true for each character.
template <class Holds>
bool all_of(std::string_view word, const Holds& holds) {
  if (word.empty()) return false;
  for (std::size_t at = 0; at < word.size();) {
    const Utf8Step step = step_at(word, at);
    if (!holds(step.code_point)) return false;
    at += step.size_bytes;
  }
  return true;
}

bool begins(std::string_view word, unsigned classes) {
  return !word.empty() && is(step_at(word, 0).code_point, classes);
}
bool ends(std::string_view word, unsigned classes) {
  return !word.empty() && is(step_at(word, begin_before(word, word.size())).code_point, classes);
}
bool begins_cjk(std::string_view word) {
  return !word.empty() && is_cjk(step_at(word, 0).code_point);
}
bool ends_cjk(std::string_view word) {
  return !word.empty() && is_cjk(step_at(word, begin_before(word, word.size())).code_point);
}

bool one_of(char32_t character, std::u32string_view set) {
  return set.find(character) != set.npos;
}
bool is_opening(char32_t c) {
  return one_of(c, U"([{¿¡") || is(c, kCurrency);
}
bool is_closing(char32_t c) {
  return one_of(c, U",.?!:;\\%}])");
}
bool is_quote(char32_t c) {
  return one_of(c, U"'\"„“`");
}
bool is_digit(char32_t c) {
  return c >= '0' && c <= '9';
}

}  // namespace

Detokenizer::Detokenizer(std::string_view language, Words words)
    : language_(Language::kOther), penn_(words == Words::kPenn) {
  if (penn_) language = "en";
  struct Name {
    std::string_view code;
    Language language;
  };
  constexpr Name kNames[] = {{"en", Language::kEnglish}, {"fr", Language::kFrench},
                             {"it", Language::kItalian}, {"cs", Language::kCzech},
                             {"fi", Language::kFinnish}, {"ko", Language::kKorean}};
  for (const Name& name : kNames) {
    if (name.code == language) language_ = name.language;
  }
}

void Detokenizer::place(std::string_view word) {
  if (space_) line_ += ' ';
  line_ += word;
  space_ = true;
}

void Detokenizer::place_left(std::string_view word) {
  line_ += word;
  space_ = true;
}

void Detokenizer::place_right(std::string_view word) {
  place(word);
  space_ = false;
}

bool Detokenizer::place_cjk(std::size_t i) {
  if (!begins_cjk(words_[i])) return false;
  if (i > 0 && ends_cjk(words_[i - 1]) && language_ != Language::kKorean)
    place_left(words_[i]);
  else
    place(words_[i]);
  return true;
}

bool Detokenizer::place_punctuation(std::size_t i) {
  const std::string_view word = words_[i];
  if (all_of(word, is_opening)) {
    place_right(word);
    return true;
  }
  if (!all_of(word, is_closing)) return false;
  constexpr std::string_view kFrenchApart = "?!:;\\%";
  const bool apart = language_ == Language::kFrench && word.size() == 1 &&
                     kFrenchApart.find(word[0]) != kFrenchApart.npos;
  if (apart) line_ += ' ';
  place_left(word);
  return true;
}

bool Detokenizer::place_contraction(std::size_t i) {
  const std::string_view word = words_[i];
  if (language_ == Language::kEnglish && i > 0 && word.starts_with('\'') &&
      begins(word.substr(1), kLetter) && ends(words_[i - 1], kAlphanumeric)) {
    place_left(word);
    return true;
  }
  if (language_ == Language::kCzech && i > 1 && all_of(words_[i - 2], is_digit) &&
      (words_[i - 1] == "." || words_[i - 1] == ",") && all_of(word, is_digit)) {
    place_left(word);
    return true;
  }
  const bool leaning = language_ == Language::kFrench || language_ == Language::kItalian;
  if (leaning && i + 1 < words_.size() && word.ends_with('\'') &&
      ends(word.substr(0, word.size() - 1), kLetter) && begins(words_[i + 1], kLetter)) {
    place_right(word);
    return true;
  }
  return false;
}

// Czech "-li", and "e-mail".
bool Detokenizer::place_czech_dash(std::size_t& i) {
  if (language_ != Language::kCzech || i + 3 >= words_.size() || !ends(words_[i], kLetter))
    return false;
  if (words_[i + 1] != "-" && words_[i + 1] != "–") return false;
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; };
  const std::string_view behind = words_[i + 2];
  if (!std::ranges::equal(behind, std::string_view("li"), same) &&
      !std::ranges::equal(behind.substr(0, 4), std::string_view("mail"), same))
    return false;
  place(words_[i]);
  line_ += words_[i + 1];
  space_ = false;
  ++i;
  return true;
}

// Opening and closing quotes are different words, so they are not counted.
bool Detokenizer::place_penn_quote(std::size_t i) {
  const std::string_view word = words_[i];
  if (word == "`" || word == "``")
    place_right(word == "`" ? "'" : "\"");
  else if (word == "'" || word == "''")
    place_left(word == "'" ? "'" : "\"");
  else
    return false;
  return true;
}

void Detokenizer::place_penn_words() {
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (!place_punctuation(i) && !place_contraction(i) && !place_penn_quote(i)) place(words_[i]);
  }
}

// Quotes open and close alternately; Czech quotes are distinct.
bool Detokenizer::place_quote(std::size_t i) {
  const std::string_view word = words_[i];
  if (!all_of(word, is_quote)) return false;
  const bool curly = all_of(word, [](char32_t c) { return one_of(c, U"„“"); });
  std::size_t& count = quotes_[curly ? "\"" : std::string(word)];
  if (language_ == Language::kCzech && word == "„") count = 0;
  if (language_ == Language::kCzech && word == "“") count = 1;
  const bool genitive =
      language_ == Language::kEnglish && word == "'" && i > 0 && words_[i - 1].ends_with('s');
  if (count % 2 == 0 && genitive) {
    place_left(word);
    return true;
  }
  if (count % 2 == 0)
    place_right(word);
  else
    place_left(word);
  ++count;
  return true;
}

void Detokenizer::place_plain_words() {
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (!place_cjk(i) && !place_punctuation(i) && !place_contraction(i) && !place_czech_dash(i) &&
        !place_quote(i) && !place_finnish_ending(i))
      place(words_[i]);
  }
}

std::string Detokenizer::join(std::string_view tokens) {
  Work work{.text = base::concat(" ", tokens, " "), .next = {}};
  if (penn_)
    undo_penn(work);
  else
    work.text = without_entities(base::replaced(work.text, " @-@ ", "-"));
  const std::string_view text = work.text;
  words_.clear();
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    words_.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  while (!words_.empty() && words_.back().empty()) words_.pop_back();
  quotes_.clear();
  line_.clear();
  space_ = true;
  if (penn_)
    place_penn_words();
  else
    place_plain_words();
  work.text = std::move(line_);
  squeeze(work);
  return std::move(work.text);
}

}  // namespace awend::text::moses
