#include "text/bert/words.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "text/case.hpp"
#include "text/characters.hpp"
#include "text/spaced_words.hpp"

namespace awend::text {
namespace {

bool is_white(char32_t character) {
  return character == U'\t' || character == U'\n' || character == U'\r' || is_separator(character);
}

// Not in the text that BERT reads.  White space is checked first.
bool is_removed(char32_t character, BertRules rules) {
  if (character == 0 || character == 0xFFFD || is_control(character)) return true;
  if (rules == BertRules::kGoogle) return is_format(character);
  return is_private_use(character) || (is_format(character) && is_in_unicode_8(character));
}

// The blocks of Chinese characters; Japanese and Korean syllables are not separate words.
bool is_chinese(char32_t character, BertRules rules) {
  struct Block {
    char32_t first, last;
  };
  static constexpr Block kBlocks[] = {{0x4E00, 0x9FFF},   {0x3400, 0x4DBF},   {0x20000, 0x2A6DF},
                                      {0x2A700, 0x2B73F}, {0x2B740, 0x2B81F}, {0x2B820, 0x2CEAF},
                                      {0xF900, 0xFAFF},   {0x2F800, 0x2FA1F}};
  // A block of the library tokenizers begins later than that of Unicode: at 0x2B920.
  if (rules == BertRules::kHuggingFace && character >= 0x2B820 && character < 0x2B920) return false;
  return std::ranges::any_of(kBlocks, [&](const Block& block) {
    return character >= block.first && character <= block.last;
  });
}

// All signs of ASCII count as punctuation, also $, + and ^, which are symbols in Unicode.
bool splits(char32_t character, BertRules rules) {
  if (character < 0x80) {
    return (character >= 33 && character <= 47) || (character >= 58 && character <= 64) ||
           (character >= 91 && character <= 96) || (character >= 123 && character <= 126);
  }
  if (rules == BertRules::kGoogle) return is_punctuation(character);
  // Two characters were punctuation in version 8.
  return (is_punctuation(character) && is_in_unicode_8(character)) || character == 0x166D ||
         character == 0x111C9;
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

void lower_ascii(std::string& text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
}

}  // namespace

void BertWords::clean(std::string_view line) {
  clean_.clear();
  for (std::size_t at = 0; at < line.size();) {
    const base::Utf8Step step = base::utf8_step(line, at);
    const std::string_view character = line.substr(at, step.size_bytes);
    at += step.size_bytes;
    if (is_white(step.code_point)) {
      clean_ += ' ';
    } else if (is_removed(step.code_point, rules_)) {
      continue;
    } else if (is_chinese(step.code_point, rules_)) {
      clean_.append(1, ' ').append(character).append(1, ' ');
    } else {
      clean_ += character;
    }
  }
}

void BertWords::split_at_punctuation(std::string_view field) {
  for (std::size_t at = 0; at < field.size();) {
    const base::Utf8Step step = base::utf8_step(field, at);
    const std::string_view character = field.substr(at, step.size_bytes);
    at += step.size_bytes;
    if (splits(step.code_point, rules_)) {
      text_.append(1, ' ').append(character).append(1, ' ');
    } else {
      text_ += character;
    }
  }
  text_ += ' ';
}

const std::vector<std::string_view>& BertWords::split(std::string_view line) {
  clean(line);
  if (letter_case_ == LetterCase::kLower && is_ascii(clean_)) lower_ascii(clean_);
  text_.clear();
  for_each_word(clean_, [&](std::string_view field) {
    // A final sigma depends on the field, so letters are mapped field by field.
    if (letter_case_ == LetterCase::kLower && !is_ascii(field)) {
      split_at_punctuation(rules_ == BertRules::kGoogle
                               ? without_accents(lower_case(field))
                               : lower_characters(without_accents(field, rules_)));
    } else if (letter_case_ == LetterCase::kLower) {
      std::string lower(field);
      lower_ascii(lower);
      split_at_punctuation(lower);
    } else {
      split_at_punctuation(field);
    }
  });
  words_.clear();
  for_each_word(text_, [&](std::string_view word) { words_.push_back(word); });
  return words_;
}

bool is_too_long_for_bert(std::string_view word, BertRules rules) {
  const std::size_t longest = rules == BertRules::kHuggingFace ? 100 : 200;
  return word.size() > longest && base::count_characters(word) > longest;
}

}  // namespace awend::text
