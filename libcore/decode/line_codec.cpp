#include "decode/line_codec.hpp"

#include <algorithm>

#include "base/format.hpp"
#include "text/spaced_words.hpp"

namespace awend::decode {

text::TokenCodec& LineCodec::codec() {
  if (!codec_) {
    model_.emplace(vocabulary_);
    codec_ = model_->make();
  }
  return *codec_;
}

bool LineCodec::has_unknown(const std::vector<std::uint32_t>& ids) const {
  return std::ranges::any_of(ids, [&](std::uint32_t id) { return vocabulary_.is_special(id); });
}

std::string LineCodec::token_line_of(std::string_view line, LineForm form) {
  if (form == LineForm::kTokens) return std::string(line);
  std::string tokens;
  codec().encode(line, 1, tokens);
  return tokens;
}

std::vector<std::uint32_t> LineCodec::ids_of(std::string_view line, LineForm form) {
  if (form == LineForm::kTokens) return unknown_.ids_of(line);
  std::vector<std::uint32_t> ids;
  codec().encode_ids(line, 1, ids);
  if (has_unknown(ids)) return unknown_.ids_of(token_line_of(line, form));
  unknown_.add_known(ids.size());
  return ids;
}

LineCodec::Tokens LineCodec::tokens_of(std::string_view line, LineForm form) {
  std::vector<std::uint32_t> ids;
  if (form == LineForm::kRaw) codec().encode_ids(line, 1, ids);
  if (form == LineForm::kTokens || has_unknown(ids)) {
    const auto tokens = token_line_of(line, form);
    return {unknown_.ids_of(tokens), text::spaced_words(tokens)};
  }
  unknown_.add_known(ids.size());
  Tokens tokens{std::move(ids), {}};
  for (const std::uint32_t id : tokens.ids) tokens.texts.emplace_back(vocabulary_.piece(id));
  return tokens;
}

std::string LineCodec::text_of(const Translation& translation) {
  std::string line;
  if (has_unknown(translation.hypothesis.ids)) {
    codec().decode(base::join(translation.tokens, " "), line);
  } else {
    codec().decode_ids(translation.hypothesis.ids, line);
  }
  return line;
}

}  // namespace awend::decode
