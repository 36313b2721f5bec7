// Rules for single languages, as tables.
//
// Test: tests/unit/text/sentences_test.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace awend::text::sentences {

struct LanguageRules {
  std::string_view language;
  /// A quotation of at most that many characters is one sentence with the text around it.
  std::size_t longest_quotation = 0;
  /// Terminators that UAX #29 does not have; white space follows them.
  std::u32string_view terminators = {};
  /// Terminators of UAX #29 that are a pause within a sentence.
  std::u32string_view pauses = {};
  /// Beginnings of text that continues a sentence after a quotation, such as particles, and words
  /// that begin in the same way but do not.
  std::span<const std::u32string_view> continuations = {}, beginnings = {};
  /// Verbs of saying: a clause after a quotation that ends in one of them belongs to it, unless it
  /// ends in a word that only has the same characters.
  std::span<const std::u32string_view> reporting = {}, not_reporting = {};
  /// Abbreviations without their periods: always, or only before a digit.
  std::span<const std::string_view> abbreviations = {}, before_digits = {};
};

/// The rules of `pt` for `pt-BR`; those without tables for a language without rules of its own.
const LanguageRules& rules_of(std::string_view language);

/// The code that ICU has for a language: `zh_Hans` for `zho_Hans`.
std::string canonical_language(std::string_view language);

/// Without script and region: `zh` for `zho_Hans` and `zh-TW`.
std::string primary_language(std::string_view language);

/// Before digits in all languages, such as page numbers.
std::span<const std::string_view> common_before_digits();

}  // namespace awend::text::sentences
