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

#include "decode/translation.hpp"
#include "decode/unknown_tokens.hpp"
#include "text/token_codec.hpp"

namespace awend::decode {

class LineCodec {
 public:
  /// The vocabulary must outlive it.
  explicit LineCodec(const text::Vocabulary& vocabulary)
      : vocabulary_(vocabulary), unknown_(vocabulary) {}
  LineCodec(const LineCodec&) = delete;
  LineCodec& operator=(const LineCodec&) = delete;

  /// The ids of a line; what spells a special token is unknown.
  std::vector<std::uint32_t> ids_of(std::string_view line, LineForm form);

  struct Tokens {
    std::vector<std::uint32_t> ids;
    std::vector<std::string> texts;  ///< Those of unknown tokens are as in the line.
  };
  Tokens tokens_of(std::string_view line, LineForm form);

  /// The raw text of a translation.
  std::string text_of(const Translation& translation);

  /// Of all lines so far.
  const UnknownTokens& unknown() const { return unknown_; }

 private:
  text::TokenCodec& codec();
  bool has_unknown(const std::vector<std::uint32_t>& ids) const;
  std::string token_line_of(std::string_view line, LineForm form);

  const text::Vocabulary& vocabulary_;
  UnknownTokens unknown_;
  std::optional<text::TokenCodecModel> model_;  // since the first raw line
  std::unique_ptr<text::TokenCodec> codec_;
};

}  // namespace awend::decode
