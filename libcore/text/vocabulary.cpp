#include "text/vocabulary.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace awend::text {

Vocabulary::Vocabulary(VocabularyContent content) : content_(std::move(content)) {
  ids_.reserve(content_.pieces.size());
  for (const Piece& piece : content_.pieces) {
    ids_.emplace(piece.text, static_cast<std::uint32_t>(ids_.size()));
  }
  base::check(ids_.size() == content_.pieces.size(), "the pieces of a vocabulary differ");
  base::check(!is_reversible(type()) || ids_.size() >= kFirstCharacter,
              "a vocabulary has its special pieces");
  base::check(
      !is_reversible(type()) || ids_.size() - kFirstCharacter >=
                                    std::uint64_t{content_.control_symbols} + content_.user_symbols,
      "symbols are pieces");
  base::check(
      std::ranges::all_of(content_.merges,
                          [&](const Merge& merge) {
                            return std::max({merge.left, merge.right, merge.result}) < ids_.size();
                          }),
      "the ids of merges are those of pieces");
  base::check(std::max(unknown(), content_.end_of_sentence.value_or(0)) < ids_.size(),
              "special ids have pieces");
  base::check(content_.languages.empty() ||
                  (std::ranges::is_sorted(content_.languages, {}, &Language::id) &&
                   content_.languages.back().id < ids_.size()),
              "the tokens of languages are pieces");
}

std::optional<std::uint32_t> Vocabulary::find(std::string_view piece) const {
  const auto found = ids_.find(piece);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

bool Vocabulary::is_language(std::uint32_t id) const {
  return std::ranges::binary_search(content_.languages, id, {}, &Language::id);
}

std::vector<Piece> special_pieces() {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::vector<Piece> pieces = {{"<unk>", 0}, {"</s>", 0}};
  for (int byte = 0; byte < 256; ++byte) {
    pieces.push_back({base::concat("<0x", kHex[byte / 16], kHex[byte % 16], ">"), 0});
  }
  return pieces;
}

}  // namespace awend::text
