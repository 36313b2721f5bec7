#include "text/sentencepiece/piece_merger.hpp"

#include <algorithm>
#include <bit>

#include "text/text_hash.hpp"

namespace awend::text {
namespace {

constexpr std::uint32_t kNoSymbol = PieceIndex::kNone;

// The slots use the lower half of the hash.
std::uint32_t tag_of(std::uint64_t hash) {
  return static_cast<std::uint32_t>(hash >> 32);
}

std::vector<PieceTrie::Entry> user_symbols(const std::vector<ModelPiece>& pieces) {
  std::vector<PieceTrie::Entry> symbols;
  for (std::uint32_t id = 0; id < pieces.size(); ++id) {
    if (pieces[id].type == PieceType::kUserDefined) symbols.push_back({pieces[id].text, id});
  }
  return symbols;
}

}  // namespace

PieceIndex::PieceIndex(const SentencePieceContent& content)
    : pieces_(content.pieces),
      slots_(std::bit_ceil(2 * content.pieces.size() + 1)),
      symbols_(user_symbols(content.pieces)) {
  for (std::uint32_t id = 0; id < pieces_.size(); ++id) {
    const ModelPiece& piece = pieces_[id];
    if (piece.type == PieceType::kUnknown) unknown_ = id;
    if (piece.type != PieceType::kNormal && piece.type != PieceType::kUserDefined) continue;
    longest_bytes_ = std::max(longest_bytes_, piece.text.size());
    slots_[slot_of(piece.text)] = {tag_of(text_hash(piece.text)), id};
  }
}

// The slot of the piece with this text, or the free one where it would be.
std::size_t PieceIndex::slot_of(std::string_view text) const {
  const std::uint64_t hash = text_hash(text);
  const std::uint32_t tag = tag_of(hash);
  std::size_t slot = hash & (slots_.size() - 1);
  while (slots_[slot].id != kNone &&
         (slots_[slot].tag != tag || pieces_[slots_[slot].id].text != text))
    slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

std::uint32_t PieceIndex::find(std::string_view text) const {
  return text.size() > longest_bytes_ ? kNone : slots_[slot_of(text)].id;
}

void PieceMerger::segment(std::string_view text, PieceSpans& spans) {
  split(text);
  for (std::uint32_t i = 1; i < symbols_.size(); ++i) add_pair(text, i - 1, i);
  while (!pairs_.empty()) {
    std::pop_heap(pairs_.begin(), pairs_.end());
    const Pair pair = pairs_.back();
    pairs_.pop_back();
    merge(text, pair);
  }
  for (const Symbol& symbol : symbols_) {
    if (symbol.size_bytes > 0) spans.push_back({symbol.begin, symbol.size_bytes, symbol.id});
  }
}

void PieceMerger::split(std::string_view text) {
  symbols_.clear();
  for (std::uint32_t begin = 0; begin < text.size();) {
    const std::string_view rest = text.substr(begin);
    const std::size_t fixed = index_.symbols().longest(rest);
    const std::size_t size = fixed > 0 ? fixed : first_character_bytes(rest);
    const auto number = static_cast<std::uint32_t>(symbols_.size());
    const std::uint32_t id = index_.find(rest.substr(0, size));
    symbols_.push_back({begin, static_cast<std::uint32_t>(size), number - 1, number + 1,
                        id == PieceIndex::kNone ? index_.unknown() : id, fixed > 0});
    begin += static_cast<std::uint32_t>(size);
  }
  if (symbols_.empty()) return;
  symbols_.front().previous = symbols_.back().next = kNoSymbol;
}

void PieceMerger::add_pair(std::string_view text, std::uint32_t left, std::uint32_t right) {
  if (left == kNoSymbol || right == kNoSymbol) return;
  const Symbol &first = symbols_[left], &second = symbols_[right];
  if (first.is_fixed || second.is_fixed) return;
  const std::uint32_t size = first.size_bytes + second.size_bytes;
  const std::uint32_t id = index_.find(text.substr(first.begin, size));
  if (id == PieceIndex::kNone) return;
  pairs_.push_back({index_.score(id), left, right, size, id});
  std::push_heap(pairs_.begin(), pairs_.end());
}

void PieceMerger::merge(std::string_view text, const Pair& pair) {
  Symbol &left = symbols_[pair.left], &right = symbols_[pair.right];
  // One of the two may have become longer, or a part of another one, since the pair was found.
  if (left.size_bytes == 0 || right.size_bytes == 0 ||
      left.size_bytes + right.size_bytes != pair.size_bytes)
    return;
  left.size_bytes = pair.size_bytes;
  left.id = pair.id;
  left.next = right.next;
  if (right.next != kNoSymbol) symbols_[right.next].previous = pair.left;
  right.size_bytes = 0;
  add_pair(text, left.previous, pair.left);
  add_pair(text, pair.left, left.next);
}

}  // namespace awend::text
