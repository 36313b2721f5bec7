#include "decode/line_codec.hpp"

#include <algorithm>

#include "base/format.hpp"
#include "text/spaced_words.hpp"

namespace awend::decode {
namespace {

constexpr std::size_t kMaxListed = 3;
constexpr double kManyUnknown = 0.01;  // they suggest that the input has another vocabulary

}  // namespace

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

/// A token line without the end of the sentence that other toolkits want to be given.
std::string_view LineCodec::without_end(std::string_view line) const {
  if (end_ == TypedEnd::kUnknown) return line;
  const auto last = line.substr(0, line.find_last_not_of(' ') + 1);
  const auto end = vocabulary_.piece(vocabulary_.end_of_sentence());
  if (!last.ends_with(end)) return line;
  const auto rest = last.substr(0, last.size() - end.size());
  return rest.empty() || rest.ends_with(' ') ? rest : line;
}

std::vector<std::uint32_t> LineCodec::ids_of(std::string_view line, LineForm form) {
  if (form == LineForm::kTokens) return ids_of_tokens(without_end(line));
  std::vector<std::uint32_t> ids;
  codec().encode_ids(line, 1, ids);
  if (has_unknown(ids)) return ids_of_tokens(without_end(token_line_of(line, form)));
  tokens_ += ids.size();
  return ids;
}

LineCodec::Tokens LineCodec::tokens_of(std::string_view line, LineForm form) {
  std::vector<std::uint32_t> ids;
  if (form == LineForm::kRaw) codec().encode_ids(line, 1, ids);
  if (form == LineForm::kTokens || has_unknown(ids)) {
    const auto token_line = token_line_of(line, form);
    const auto tokens = without_end(token_line);
    return {ids_of_tokens(tokens), text::spaced_words(tokens)};
  }
  tokens_ += ids.size();
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

/// What spells a special token counts as unknown.
std::vector<std::uint32_t> LineCodec::ids_of_tokens(std::string_view line) {
  std::vector<std::uint32_t> ids;
  text::for_each_word(line, [&](std::string_view token) {
    ++tokens_;
    const auto id = vocabulary_.find(token);
    if (id && !vocabulary_.is_special(*id)) {
      ids.push_back(*id);
      return;
    }
    ids.push_back(vocabulary_.unknown());
    ++unknown_;
    if (first_unknown_.size() < kMaxListed &&
        std::ranges::find(first_unknown_, token) == first_unknown_.end())
      first_unknown_.emplace_back(token);
  });
  return ids;
}

void LineCodec::warn_of_unknown(const base::Report& report, std::string_view what,
                                std::string_view advice) const {
  if (unknown_ == 0) return;
  std::string text = base::concat(what, ": ", unknown_, " of ", tokens_,
                                  " tokens are unknown to the vocabulary: ");
  for (std::size_t i = 0; i < first_unknown_.size(); ++i)
    text += (i > 0 ? ", " : "") + first_unknown_[i];
  const bool are_many = static_cast<double>(unknown_) > kManyUnknown * static_cast<double>(tokens_);
  are_many ? report.warning(text.append(advice)) : report.note(text);
}

}  // namespace awend::decode
