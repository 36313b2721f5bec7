// The wire format of protocol buffers, as far as SentencePiece models use it, and the numbers of
// their fields (sentencepiece_model.proto).
//
// Test: tests/fuzz/sentencepiece_test.cpp, tests/unit/text/sentencepiece/sentencepiece_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace awend::text::protobuf {

enum class Wire { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

struct Field {
  std::uint32_t number = 0;
  Wire wire = Wire::kVarint;
  std::uint64_t value = 0;  // of a varint or a fixed number
  std::string_view bytes;
  std::string_view whole;  // the field with its tag
};

std::optional<std::uint64_t> take_varint(std::string_view& rest);

/// Takes a field from the front; nothing if the bytes are not a field.  Groups are rejected: no
/// model has them.
std::optional<Field> take_field(std::string_view& rest);

void append_varint(std::string& message, std::uint32_t number, std::uint64_t value);
void append_float(std::string& message, std::uint32_t number, float value);
void append_bytes(std::string& message, std::uint32_t number, std::string_view bytes);

// A model.
inline constexpr std::uint32_t kPieces = 1, kTrainer = 2, kNormalizer = 3, kSelfTest = 4,
                               kDenormalizer = 5;
// A piece.
inline constexpr std::uint32_t kPieceText = 1, kPieceScore = 2, kPieceType = 3;
// A normalizer.
inline constexpr std::uint32_t kCharsmap = 2, kDummyPrefix = 3, kRemoveSpaces = 4, kEscape = 5;
// The trainer.
inline constexpr std::uint32_t kModelType = 3, kVocabularySize = 4, kCoverage = 10,
                               kSpaceSuffix = 24, kByteFallback = 35;

}  // namespace awend::text::protobuf
