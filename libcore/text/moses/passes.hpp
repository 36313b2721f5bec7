// The steps in which Moses' tokenizer works on a line, each a walk over its bytes.
//
// Every step reads the whole line that the step before left, as Moses' rules do, because what one
// match has taken in the next cannot look at: `5,,,6` becomes `5 , , ,6`, and that is to be equal.
// A step that looks for one character skips to it, so most steps cost little.  Test:
// tests/unit/text/moses_test.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "text/moses/prefixes.hpp"

namespace awend::text::moses {

/// True where the character is of the kind that a rule wants; null: the rule does not look.
using Neighbour = bool (*)(char32_t character);

/// Wherever `mark` stands between such neighbours, `replacement` takes its place.  The neighbours
/// belong to the match: the next match cannot use them.
struct MarkRule {
  Neighbour before;
  std::string_view mark;
  Neighbour after;
  std::string_view replacement;
};

/// A line on its way, and room for the next step's result.
struct Work {
  std::string text;
  std::string next;

  /// Makes the result of a step the text.
  void take() {
    text.swap(next);
    next.clear();
  }
};

/// What differs between languages.
struct LanguageRules {
  bool keeps_colon = false;       // inside words: USA:n
  bool keeps_middle_dot = false;  // inside words: col·legi
  bool keeps_apostrophe = false;  // before small letters, while symbols are set apart
  std::span<const MarkRule> apostrophes;
};
LanguageRules language_rules(std::string_view language);

/// Writes `line` into work.text: every run of white space becomes a space, control characters
/// vanish, which can leave two spaces side by side.
void clean(std::string_view line, Work& work);

/// Runs of spaces become one; none stays at the ends.
void squeeze(Work& work);

/// Spaces around symbols; with kSplit, ` @-@ ` for a hyphen inside a word.
enum class Hyphens { kKeep, kSplit };
void set_symbols_apart(const LanguageRules& rules, Hyphens hyphens, Work& work);

/// Spaces around two dots or more, which become marks.
void set_dots_apart(Work& work);

void apply(std::span<const MarkRule> rules, Work& work);

/// Spaces around commas, except between numbers.
void split_commas(Work& work);

/// Cuts the dot from words that do not keep it, and leaves one space between words.
enum class LastWord { kLosesDot, kLikeOthers };
void split_final_dots(const Prefixes& prefixes, LastWord last_word, Work& work);

/// Appends `text` with each mark turned back: a dot, or the next of `protected_texts`; with
/// `escape`, as entities what would disturb Moses' own programs.
enum class Escape { kYes, kNo };
void append_finished(std::string_view text, std::span<const std::string> protected_texts,
                     Escape escape, std::string& tokens);

/// `text` with the entities of append_finished, and older ones, turned back.
std::string without_entities(std::string_view text);

}  // namespace awend::text::moses
