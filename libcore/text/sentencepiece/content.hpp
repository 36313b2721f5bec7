// What a SentencePiece model contains, read from its protocol buffer: the tables of the encoder
// and the settings of its normalizer.
//
// Test: tests/unit/text/sentencepiece/encoder_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace awend::text {

enum class PieceType {
  kNormal = 1,
  kUnknown = 2,
  kControl = 3,
  kUserDefined = 4,
  kUnused = 5,
  kByte = 6
};

struct ModelPiece {
  std::string text;
  float score = 0;
  PieceType type = PieceType::kNormal;
};

struct NormalizerSettings {
  std::string charsmap = {};        // empty: text is not changed
  bool add_dummy_prefix = true;     // a space before the line
  bool remove_extra_spaces = true;  // at both ends, and of each run all but one
  bool escape_spaces = true;        // as U+2581
  bool space_suffix = false;        // the added space follows the line
};

struct SentencePieceContent {
  enum class Type { kUnigram = 1, kBpe = 2, kWord = 3, kCharacter = 4 };
  Type type = Type::kUnigram;
  bool byte_fallback = false;
  std::vector<ModelPiece> pieces = {};
  NormalizerSettings normalizer = {};
};

/// Requires: bytes from checked_sentencepiece().  As in every protocol buffer, the last of several
/// values counts, and unknown ones are ignored.
SentencePieceContent sentencepiece_content(std::string_view bytes);

}  // namespace awend::text
