// Special tokens that are spelled out in raw text: the tokenizers of Hugging Face find them before
// they split the text between them.
//
// Test: tests/unit/text/special_tokens_test.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/token_codec.hpp"
#include "text/vocabulary.hpp"

namespace awend::text {

/// The mask of XLM-R and models of its family.
inline constexpr std::string_view kMaskToken = "<mask>";

/// Encodes the text between special tokens with another codec, and decodes with it.
class SpecialTokenCodec : public TokenCodec {
 public:
  /// Those of `tokens` that are pieces of the vocabulary are found in text.
  SpecialTokenCodec(std::unique_ptr<TokenCodec> codec, const Vocabulary& vocabulary,
                    std::span<const std::string_view> tokens);

  void encode(std::string_view line, std::uint64_t number, std::string& tokens) override;
  void encode_ids(std::string_view line, std::uint64_t number, Ids& ids) override;
  void decode(std::string_view tokens, std::string& line) override { codec_->decode(tokens, line); }
  void decode_ids(std::span<const std::uint32_t> ids, std::string& line) override {
    codec_->decode_ids(ids, line);
  }

 private:
  struct Special {
    std::string token;
    std::uint32_t id;
  };
  struct Part {
    std::string_view text;             // before the token
    const Special* special = nullptr;  // null at the end of the line
  };
  Part take_part(std::string_view& line) const;

  std::unique_ptr<TokenCodec> codec_;
  std::vector<Special> special_;
};

}  // namespace awend::text
