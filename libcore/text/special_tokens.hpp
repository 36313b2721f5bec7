// Special tokens that are spelled out in raw text: the tokenizers of Hugging Face find them before
// they split the text between them.
//
// Test: tests/unit/text/special_tokens_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/token_codec.hpp"
#include "text/vocabulary.hpp"

namespace awend::text {

/// The ids of raw lines with a vocabulary of XLM-R or a model of its family.  Each thread has its
/// own.
class SpecialTokenTokenizer {
 public:
  /// `special` are found in text if they are pieces.  The vocabulary must outlive it.
  SpecialTokenTokenizer(const Vocabulary& vocabulary, std::span<const std::string_view> special);

  /// Requires: valid UTF-8.
  Ids encode(std::string_view line);

 private:
  struct Found {
    std::size_t begin, end;
    std::uint32_t id;
  };
  Found next(std::string_view line, std::size_t from) const;

  std::vector<std::pair<std::string, std::uint32_t>> special_;
  TokenCodecModel model_;
  std::unique_ptr<TokenCodec> codec_;
};

}  // namespace awend::text
