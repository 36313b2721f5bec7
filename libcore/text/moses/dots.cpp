// Dots: runs of dots, and the one at the end of a word, which may belong to the word.
#include <algorithm>

#include "text/moses/characters.hpp"
#include "text/moses/passes.hpp"

namespace awend::text::moses {
namespace {

// Moses replaces a run of dots with DOTMULTI and one more DOT per additional dot, and restores them
// at the end; if the text itself contains these words, they become dots as well.
void mark_words_for_dots(Work& work) {
  constexpr std::string_view kDot = "DOT", kWord = "DOTMULTI";
  std::string_view text = work.text;
  if (text.find(kWord) == text.npos) return;
  std::string& out = work.next;
  for (std::size_t at; (at = text.find(kWord)) != text.npos;) {
    out += text.substr(0, at);
    text.remove_prefix(at + kWord.size());
    std::size_t dots = 1;
    for (; out.ends_with(kDot); ++dots) out.resize(out.size() - kDot.size());
    const bool takes_dot = text.starts_with('.') && !text.starts_with("..");
    out.append(dots + (takes_dot ? 1 : 0), kDotMark);
    if (takes_dot) text.remove_prefix(1);
    if (takes_dot && !text.empty()) out += ' ';
  }
  out += text;
  work.take();
}

bool keeps_dot(std::string_view word, std::string_view behind, const Prefixes& prefixes) {
  const auto has_letter = [&] {
    for (std::size_t at = 0; at < word.size();) {
      const base::Utf8Step step = step_at(word, at);
      if (is(step.code_point, kLetter | kDots)) return true;
      at += step.size_bytes;
    }
    return false;
  };
  if (word.find('.') != word.npos && has_letter()) return true;
  const Prefixes::Kind kind = prefixes.find(word);
  if (kind == Prefixes::Kind::kAlways) return true;
  if (!behind.empty() && is(step_at(behind, 0).code_point, kLower)) return true;
  return kind == Prefixes::Kind::kBeforeDigit && !behind.empty() && behind[0] >= '0' &&
         behind[0] <= '9';
}

}  // namespace

void set_dots_apart(Work& work) {
  mark_words_for_dots(work);
  const std::string_view text = work.text;
  std::size_t begin = 0;
  for (std::size_t at = text.find(".."); at != text.npos; at = text.find("..", begin)) {
    const std::size_t end = std::min(text.find_first_not_of('.', at), text.size());
    work.next.append(text, begin, at - begin);
    work.next += ' ';
    work.next.append(end - at, kDotMark);
    if (end < text.size()) work.next += ' ';
    begin = end;
  }
  if (begin == 0) return;
  work.next.append(text, begin);
  work.take();
}

void split_final_dots(const Prefixes& prefixes, LastWord last_word, Work& work) {
  const std::string_view text = work.text;
  std::string& out = work.next;
  const std::size_t last = text.find_last_not_of(' ');
  for (std::size_t at = text.find_first_not_of(' '); at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (!out.empty()) out += ' ';
    if (word.size() > 1 && word.back() == '.') {
      const std::string_view stem = word.substr(0, word.size() - 1);
      // An empty word follows two spaces, which does not keep a dot.
      const std::string_view behind = text.substr(std::min(end + 1, text.size()));
      const bool splits = end > last && last_word == LastWord::kLosesDot;
      out += stem;
      out += splits || !keeps_dot(stem, behind, prefixes) ? " ." : ".";
    } else {
      out += word;
    }
    at = std::min(text.find_first_not_of(' ', end), text.size());
  }
  work.take();
}

}  // namespace awend::text::moses
