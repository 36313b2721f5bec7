// Translation of raw text: tokenizes input lines and detokenizes translations with the model's
// vocabularies.  The output is the same as that of `tokenize | translate | tokenize --decode`.
// Test: tests/cli/translate_raw.sh.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/lines.hpp"
#include "decode/answer_text.hpp"
#include "text/token_codec.hpp"
#include "text/vocabularies.hpp"

namespace awend::decode {

class RawText {
 public:
  enum class Side { kSource, kTarget };

  /// The vocabularies must outlive it.
  explicit RawText(const text::Vocabularies& vocabularies)
      : source_model_(vocabularies.source),
        target_model_(vocabularies.target),
        source_(source_model_.make()),
        target_(target_model_.make()) {}
  RawText(const RawText&) = delete;
  RawText& operator=(const RawText&) = delete;

  /// The token line for the last line of `in`, valid until the next call.  An Error names the line.
  std::string_view tokens_of(std::string_view line, const base::LineReader& in, Side side);

  /// Sets the text of a translation of the line with this number, from 0.  An Error names the line.
  void add_text(std::uint64_t line, RenderedHypothesis& translation);

 private:
  text::TokenCodecModel source_model_, target_model_;
  std::unique_ptr<text::TokenCodec> source_, target_;
  std::string tokens_;
};

}  // namespace awend::decode
