#include "decode/raw_text.hpp"

#include "base/error.hpp"

namespace awend::decode {

std::string_view RawText::tokens_of(std::string_view line, const base::LineReader& in,
                                    Side side) try {
  tokens_.clear();
  (side == Side::kSource ? source_ : target_)->encode(line, in.line_number(), tokens_);
  return tokens_;
} catch (const base::Error& error) {
  base::fail(in.name(), ":", in.line_number(), ": ", error.what());
}

void RawText::add_text(std::uint64_t line, RenderedHypothesis& translation) try {
  translation.text.emplace();
  target_->decode(token_line(translation.tokens), *translation.text);
} catch (const base::Error& error) {
  base::fail("the translation of line ", line + 1, ": ", error.what());
}

}  // namespace awend::decode
