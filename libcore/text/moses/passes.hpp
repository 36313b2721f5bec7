// The steps of Moses' tokenizer, each a pass over the bytes of a line.
//
// Every step reads the complete result of the step before, as Moses' rules do, because the next
// match cannot use characters that a match has consumed: `5,,,6` becomes `5 , , ,6`, as in Moses.
// A step that searches for one character skips to it, so most steps are cheap.  Test:
// tests/unit/text/moses/moses_test.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "text/moses/prefixes.hpp"

namespace awend::text::moses {

/// True if the character has the class that a rule requires; null: any character.
using Neighbour = bool (*)(char32_t character);

/// Replaces `mark` with `replacement` between such neighbors.  The neighbors belong to the match:
/// the next match cannot use them.
struct MarkRule {
  Neighbour before;
  std::string_view mark;
  Neighbour after;
  std::string_view replacement;
};

/// A line in progress, and a buffer for the result of the next step.
struct Work {
  std::string text;
  std::string next;

  /// Makes the result of a step the current text.
  void take() {
    text.swap(next);
    next.clear();
  }
};

/// The differences between languages.
struct LanguageRules {
  bool keeps_colon = false;       // inside words: USA:n
  bool keeps_middle_dot = false;  // inside words: col·legi
  bool keeps_apostrophe = false;  // before lowercase letters, while symbols are separated
  std::span<const MarkRule> apostrophes;
};
LanguageRules language_rules(std::string_view language);

/// Writes `line` into work.text: every run of white space becomes a space; control characters are
/// removed, which can leave two adjacent spaces.
void clean(std::string_view line, Work& work);

/// Runs of spaces become one; none remains at the ends.
void squeeze(Work& work);

/// Spaces around symbols; with kSplit, ` @-@ ` for a hyphen inside a word.
enum class Hyphens { kKeep, kSplit };
void set_symbols_apart(const LanguageRules& rules, Hyphens hyphens, Work& work);

/// Spaces around two or more dots, which become marks.
void set_dots_apart(Work& work);

void apply(std::span<const MarkRule> rules, Work& work);

/// Spaces around commas, except between numbers.
void split_commas(Work& work);

/// Separates the dot from words that do not keep it, and leaves one space between words.
enum class LastWord { kLosesDot, kLikeOthers };
void split_final_dots(const Prefixes& prefixes, LastWord last_word, Work& work);

/// Appends `text` with each mark replaced: by a dot, or the next of `protected_texts`; with
/// `escape`, characters that are special for Moses' programs become entities.
enum class Escape { kYes, kNo };
void append_finished(std::string_view text, std::span<const std::string> protected_texts,
                     Escape escape, std::string& tokens);

/// `text` with the entities of append_finished, and older ones, replaced by characters.
std::string without_entities(std::string_view text);

}  // namespace awend::text::moses
