// Words for the values of an enumeration.  One array of Word gives them to options, to settings in
// files and to messages, and there is one wording for a text that is not one of them.
//
//   constexpr Word<Norm> kNormWords[] = {{Norm::kPost, "post"}, {Norm::kPre, "pre"}};
//
// Test: tests/unit/base/words_test.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace awend::base {

/// The word for a value of an enumeration.
template <class Enum>
struct Word {
  Enum value;
  std::string_view text;
};

/// The word for `value` in an array of Word; empty if there is none.
template <class Table, class Enum>
constexpr std::string_view word_for(const Table& words, Enum value) {
  for (const auto& word : words) {
    if (word.value == value) return word.text;
  }
  return {};
}

/// The texts of a constant array: of Word, or of texts.
template <const auto& table>
std::vector<std::string_view> texts_of() {
  std::vector<std::string_view> all;
  for (const auto& row : table) {
    if constexpr (requires { row.text; }) {
      all.push_back(row.text);
    } else {
      all.push_back(row);
    }
  }
  return all;
}

/// "relu, gelu or swish"
std::string alternatives(std::span<const std::string_view> texts);

/// The candidate that `word` most likely means, or an empty text if none is similar.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// Throws Error "must be relu, gelu or swish, got 'rleu', did you mean 'relu'?" unless `text` is
/// one of the texts.
void require_one_of(std::span<const std::string_view> texts, std::string_view text);

/// The value of the word `text` in a constant array of Word.  Throws Error as require_one_of().
template <const auto& words>
auto value_of(std::string_view text) {
  for (const auto& word : words) {
    if (word.text == text) return word.value;
  }
  require_one_of(texts_of<words>(), text);
  return words[0].value;  // not reached
}

}  // namespace awend::base
