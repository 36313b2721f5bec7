// The languages of lines: those that were requested, or those whose tokens begin the lines.
//
// Test: tests/cli/multilingual_models.sh.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/message.hpp"
#include "decode/open_options.hpp"
#include "text/vocabularies.hpp"

namespace awend::decode {

inline constexpr base::Setting kSourceLanguage{"the source language"};
inline constexpr base::Setting kTargetLanguage{"the target language"};

/// The language of lines of one side.
class LineLanguage {
 public:
  /// That of source lines, which begin with the token of their own language, or with a tag of the
  /// target language, if they have one.  Throws UsageError if the vocabulary does not have the
  /// language, or has no source languages.  The vocabulary must outlive it.
  static LineLanguage of_source(const text::Vocabulary& vocabulary, const LanguageNames& names);
  /// That of target lines.
  static LineLanguage of_target(const text::Vocabulary& vocabulary, const LanguageNames& names);

  /// Whether lines must have languages.
  bool is_needed() const { return use_ == Use::kRequired; }
  bool is_known() const { return id_.has_value(); }
  /// Removes the token of a language from the beginning of a line, given as ids and, unless there
  /// are none, the texts of the tokens.  Returns it, or the requested language.  Throws Error if
  /// there is neither, but must be one.
  std::optional<std::uint32_t> take(std::vector<std::uint32_t>& ids,
                                    std::vector<std::string>& texts) const;

 private:
  enum class Use { kNone, kOptional, kRequired };
  LineLanguage(const text::Vocabulary& vocabulary, const std::string& name,
               const base::Setting& setting, Use use);

  const text::Vocabulary& vocabulary_;
  base::Setting setting_;
  Use use_;
  std::optional<std::uint32_t> id_;
};

/// `ids` after the token of a language, if there is one.
std::vector<std::uint32_t> with_language(std::optional<std::uint32_t> language,
                                         const std::vector<std::uint32_t>& ids);

}  // namespace awend::decode
