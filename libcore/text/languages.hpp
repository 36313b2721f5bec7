// The languages of a multilingual model.  Each has a token: a source line begins with that of its
// language, and a translation with that of its own.  In MADLAD-400, only a source line begins with
// one: the tag of the language of its translation.
//
// Test: tests/unit/text/languages_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace awend::text {

class Vocabulary;

struct Language {
  std::string code;  ///< "deu_Latn"
  std::uint32_t id;  ///< Of its token, which may be spelled otherwise: "__de__" for "de".

  bool operator==(const Language&) const = default;
};

/// The code in a token that has the form of a language of NLLB-200 ("deu_Latn"), mBART-50 ("de_DE")
/// or M2M100 ("__de__", whose code is "de").
std::optional<std::string_view> language_code_in(std::string_view token);

/// The code in a tag of MADLAD-400: "de" in "<2de>".
std::optional<std::string_view> language_tag_in(std::string_view token);

/// Whether the tokens of the languages, if there are any, are tags before sources.
bool has_language_tags(const Vocabulary& vocabulary);

/// The id of the token of a language, given by its code or its token.  Throws Error that names the
/// most similar code if the vocabulary does not have it.
std::uint32_t language_id(const Vocabulary& vocabulary, std::string_view name);

/// The vocabulary with more languages, given by their codes, whose tokens are spelled as those of
/// the others and follow all pieces.  Throws Error for a code that it has, or that is not of their
/// form.
Vocabulary with_languages(const Vocabulary& vocabulary, std::span<const std::string> codes);

}  // namespace awend::text
