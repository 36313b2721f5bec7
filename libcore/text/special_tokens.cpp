#include "text/special_tokens.hpp"

namespace awend::text {

SpecialTokenCodec::SpecialTokenCodec(std::unique_ptr<TokenCodec> codec,
                                     const Vocabulary& vocabulary,
                                     std::span<const std::string_view> tokens)
    : codec_(std::move(codec)) {
  for (const auto token : tokens) {
    if (const auto id = vocabulary.find(token)) special_.push_back({std::string(token), *id});
  }
}

/// Removes the text before the first special token, and the token.
SpecialTokenCodec::Part SpecialTokenCodec::take_part(std::string_view& line) const {
  Part part{.text = line};
  for (const auto& special : special_) {
    const auto at = line.substr(0, part.text.size() + special.token.size() - 1).find(special.token);
    if (at < part.text.size()) part = {line.substr(0, at), &special};
  }
  line.remove_prefix(part.text.size() + (part.special ? part.special->token.size() : 0));
  return part;
}

void SpecialTokenCodec::encode(std::string_view line, std::uint64_t number, std::string& tokens) {
  const auto begin = tokens.size();
  const auto separate = [&] {
    if (tokens.size() > begin && tokens.back() != ' ') tokens += ' ';
  };
  while (!line.empty()) {
    const auto part = take_part(line);
    if (!part.text.empty()) {
      separate();
      codec_->encode(part.text, number, tokens);
    }
    if (part.special == nullptr) continue;
    separate();
    tokens += part.special->token;
  }
  if (tokens.size() > begin && tokens.back() == ' ') tokens.pop_back();
}

void SpecialTokenCodec::encode_ids(std::string_view line, std::uint64_t number, Ids& ids) {
  while (!line.empty()) {
    const auto part = take_part(line);
    if (!part.text.empty()) codec_->encode_ids(part.text, number, ids);
    if (part.special != nullptr) ids.push_back(part.special->id);
  }
}

}  // namespace awend::text
