#include "text/special_tokens.hpp"

namespace awend::text {

SpecialTokenTokenizer::SpecialTokenTokenizer(const Vocabulary& vocabulary,
                                             std::span<const std::string_view> special)
    : model_(vocabulary), codec_(model_.make()) {
  for (const auto piece : special) {
    if (const auto id = vocabulary.find(piece)) special_.emplace_back(piece, *id);
  }
}

/// The first special token from there on; at the end of the line if there is none.
SpecialTokenTokenizer::Found SpecialTokenTokenizer::next(std::string_view line,
                                                         std::size_t from) const {
  Found first{line.size(), line.size(), 0};
  for (const auto& [piece, id] : special_) {
    const auto at = line.find(piece, from);
    if (at < first.begin) first = {at, at + piece.size(), id};
  }
  return first;
}

Ids SpecialTokenTokenizer::encode(std::string_view line) {
  Ids ids;
  for (std::size_t at = 0; at < line.size();) {
    const auto found = next(line, at);
    const auto text = line.substr(at, found.begin - at);
    if (!text.empty()) codec_->encode_ids(text, 1, ids);
    if (found.begin < line.size()) ids.push_back(found.id);
    at = found.end;
  }
  return ids;
}

}  // namespace awend::text
