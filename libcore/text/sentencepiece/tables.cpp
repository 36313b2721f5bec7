#include "text/sentencepiece/tables.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "text/sentencepiece/piece_span.hpp"
#include "text/symbols.hpp"

namespace awend::text {
namespace {

bool is_text(PieceType type) {
  return type == PieceType::kNormal || type == PieceType::kUserDefined;
}

// The library looks for the pieces that result from merges among the special ones, too.
bool has_producible_special(const SentencePieceContent& content) {
  if (content.type != SentencePieceContent::Type::kBpe) return false;
  std::unordered_set<std::string_view> texts;
  for (const ModelPiece& piece : content.pieces) {
    if (is_text(piece.type)) texts.insert(piece.text);
  }
  return std::ranges::any_of(content.pieces, [&](const ModelPiece& piece) {
    return !is_text(piece.type) && piece.type != PieceType::kUnknown &&
           (texts.contains(piece.text) || first_character_bytes(piece.text) == piece.text.size());
  });
}

// The number of a piece such as <0x0A>; nothing for other text.
std::optional<unsigned> byte_of(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  if (text.size() != 6 || !text.starts_with("<0x") || text[5] != '>') return std::nullopt;
  const auto high = kDigits.find(text[3]), low = kDigits.find(text[4]);
  if (high == kDigits.npos || low == kDigits.npos) return std::nullopt;
  return static_cast<unsigned>(16 * high + low);
}

// True if U+2581 follows another character in the text.
bool crosses_words(std::string_view text) {
  while (text.starts_with(kSpaceMarker)) text.remove_prefix(kSpaceMarker.size());
  return text.find(kSpaceMarker) != text.npos;
}

std::variant<PieceIndex, PieceScores> pieces_of(const SentencePieceContent& content) {
  if (content.type == SentencePieceContent::Type::kBpe) return PieceIndex(content);
  return PieceScores(content);
}

}  // namespace

std::unique_ptr<const PieceTables> PieceTables::make(std::string_view bytes,
                                                     const SentencePieceModel& model) {
  SentencePieceContent content = sentencepiece_content(bytes);
  using Type = SentencePieceContent::Type;
  const auto count = [&](PieceType type) {
    return std::ranges::count(content.pieces, type, &ModelPiece::type);
  };
  if (content.type != Type::kBpe && content.type != Type::kUnigram) return nullptr;
  if (count(PieceType::kUnused) > 0 || count(PieceType::kUnknown) != 1 ||
      !content.normalizer.escape_spaces || has_producible_special(content))
    return nullptr;
  std::vector<std::string> printed;
  for (std::uint32_t id = 0; id < model.size(); ++id) printed.push_back(model.piece(id));
  return std::unique_ptr<const PieceTables>(
      new PieceTables(std::move(content), std::move(printed)));
}

PieceTables::PieceTables(SentencePieceContent content, std::vector<std::string> printed)
    : content_(std::move(content)),
      printed_(std::move(printed)),
      normalizer_(content_.normalizer, content_.pieces),
      pieces_(pieces_of(content_)),
      separate_words_(normalizer_.is_valid()) {
  for (std::uint32_t id = 0; id < content_.pieces.size(); ++id) {
    const ModelPiece& piece = content_.pieces[id];
    if (piece.type == PieceType::kUnknown) unknown_ = id;
    if (piece.type == PieceType::kByte) {
      if (const auto byte = byte_of(piece.text)) byte_ids_[*byte] = id;
    }
    if (!is_text(piece.type)) continue;
    separate_words_ = separate_words_ && !crosses_words(piece.text);
    neighbors_.add(piece.text);
  }
}

}  // namespace awend::text
