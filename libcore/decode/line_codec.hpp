// Lines of one side of a model as ids, and translations as lines.  A line is raw text or a token
// line; both ways give the same ids: `translate --raw` is `tokenize | translate | tokenize
// --decode`.
//
// The ids of raw text come from the tokenizer, and those of a translation go to it.  Only lines
// with unknown tokens are spelled out, because ids do not tell them apart.  Test:
// tests/cli/translate_raw.sh.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/report.hpp"
#include "decode/translation.hpp"
#include "text/token_codec.hpp"

namespace awend::decode {

/// The advice if lines are token lines.
inline constexpr std::string_view kOtherVocabulary =
    "; was the text tokenized with the vocabulary of the model?";

class LineCodec {
 public:
  /// What the end of the sentence is if it is the last token of a token line.
  enum class TypedEnd { kUnknown, kEnd };

  /// The vocabulary must outlive it.
  explicit LineCodec(const text::Vocabulary& vocabulary, TypedEnd end = TypedEnd::kUnknown)
      : vocabulary_(vocabulary), end_(end) {}
  LineCodec(const LineCodec&) = delete;
  LineCodec& operator=(const LineCodec&) = delete;

  /// The ids of a line, without its end; what spells another special token is unknown.
  std::vector<std::uint32_t> ids_of(std::string_view line, LineForm form);

  struct Tokens {
    std::vector<std::uint32_t> ids;
    std::vector<std::string> texts;  ///< Those of unknown tokens are as in the line.
  };
  Tokens tokens_of(std::string_view line, LineForm form);

  /// The raw text of a translation.
  std::string text_of(const Translation& translation);

  /// Reports "WHAT: 3 of 20 tokens are unknown to the vocabulary: a, b, c" for all lines so far,
  /// unless all are known: if many are not, as a warning with advice.
  void warn_of_unknown(const base::Report& report, std::string_view what,
                       std::string_view advice) const;

 private:
  text::TokenCodec& codec();
  std::vector<std::uint32_t> ids_of_tokens(std::string_view line);
  bool has_unknown(const std::vector<std::uint32_t>& ids) const;
  std::string token_line_of(std::string_view line, LineForm form);

  std::string_view without_end(std::string_view line) const;

  const text::Vocabulary& vocabulary_;
  TypedEnd end_;
  std::uint64_t tokens_ = 0, unknown_ = 0;
  std::vector<std::string> first_unknown_;
  std::optional<text::TokenCodecModel> model_;  // since the first raw line
  std::unique_ptr<text::TokenCodec> codec_;
};

}  // namespace awend::decode
