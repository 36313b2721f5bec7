#include "text/sentencepiece/content.hpp"

#include <bit>

#include "text/sentencepiece/protobuf.hpp"

namespace awend::text {
namespace {

using namespace protobuf;

template <class Visit>
void each_field(std::string_view message, const Visit& visit) {
  while (const auto field = take_field(message)) visit(*field);
}

template <class Value>
void set(Value& value, const Field& field, std::uint64_t max_value) {
  if (field.wire == Wire::kVarint && field.value >= 1 && field.value <= max_value)
    value = static_cast<Value>(field.value);
}

void set(bool& value, const Field& field) {
  if (field.wire == Wire::kVarint) value = field.value != 0;
}

ModelPiece piece_of(std::string_view message) {
  ModelPiece piece;
  each_field(message, [&](const Field& field) {
    if (field.number == kPieceText && field.wire == Wire::kBytes) piece.text = field.bytes;
    if (field.number == kPieceScore && field.wire == Wire::kFixed32)
      piece.score = std::bit_cast<float>(static_cast<std::uint32_t>(field.value));
    if (field.number == kPieceType) set(piece.type, field, 6);
  });
  return piece;
}

void read_normalizer(std::string_view message, NormalizerSettings& settings) {
  each_field(message, [&](const Field& field) {
    if (field.number == kCharsmap && field.wire == Wire::kBytes) settings.charsmap = field.bytes;
    if (field.number == kDummyPrefix) set(settings.add_dummy_prefix, field);
    if (field.number == kRemoveSpaces) set(settings.remove_extra_spaces, field);
    if (field.number == kEscape) set(settings.escape_spaces, field);
  });
}

}  // namespace

SentencePieceContent sentencepiece_content(std::string_view bytes) {
  SentencePieceContent content;
  each_field(bytes, [&](const Field& field) {
    if (field.wire != Wire::kBytes) return;
    if (field.number == kPieces) content.pieces.push_back(piece_of(field.bytes));
    if (field.number == kNormalizer) read_normalizer(field.bytes, content.normalizer);
    if (field.number != kTrainer) return;
    each_field(field.bytes, [&](const Field& part) {
      if (part.number == kModelType) set(content.type, part, 4);
      if (part.number == kByteFallback) set(content.byte_fallback, part);
      if (part.number == kSpaceSuffix) set(content.normalizer.space_suffix, part);
    });
  });
  return content;
}

}  // namespace awend::text
